/** The phases of a dispute, by Razorpay's names. An unknown one is treated as a chargeback. */
const phases = ['fraud', 'retrieval', 'chargeback', 'pre_arbitration', 'arbitration'] as const;
type Phase = (typeof phases)[number];

/** What happened, for the admin. */
const meanings: Readonly<Record<Phase, string>> = {
  fraud: 'The bank suspects fraud',
  retrieval: 'The customer’s bank asks for information about a payment',
  chargeback: 'A customer disputes a payment',
  pre_arbitration: 'A dispute that you won is challenged again',
  arbitration:
    'The card network decides a dispute that you won before; losing costs a fee of its own',
};

const phaseOf = (text: string | null | undefined): Phase =>
  phases.find((phase) => phase === text) ?? 'chargeback';

/** What a dispute means, as the first words of a sentence. */
export const disputeMeaning = (phase: string | null | undefined): string =>
  meanings[phaseOf(phase)];

/**
 * What an open dispute wants of the admin. Whoever accepts a fraud dispute has to refund it; in every other phase Razorpay pays the
 * customer itself (razorpay.com/docs/payments/disputes, read on 29 November 2026).
 */
export function disputeTask(phase: string | null | undefined): string {
  return phaseOf(phase) === 'fraud'
    ? 'If the order is genuine, send the proof in the Razorpay dashboard. If it is not, cancel or refund it on the admin page: of a fraud dispute Razorpay refunds nothing by itself, and the refund closes it.'
    : 'Answer it in the Razorpay dashboard, with the invoice and the tracking number. Without an answer it is lost. Do not refund it yourself: if it is lost, Razorpay pays the customer from your balance.';
}

/** A provider's code such as 'goods_not_received' in words. */
export const reasonWords = (code: string): string => code.replaceAll('_', ' ');
