/** The outcomes of SQL `mark_paid` for a captured payment. */
export const markPaidOutcomes = [
  'paid',
  'already_paid',
  'refund_due',
  'refund_waits',
  'duplicate_purchase',
  'mismatch',
  'unknown_order',
  'other_mode',
  'duplicate_event',
] as const;
export type MarkPaidOutcome = (typeof markPaidOutcomes)[number];

/** The state of a payment: `pending` is not captured yet, `failed` never will be. */
export type PaymentOutcome = MarkPaidOutcome | 'pending' | 'failed';

export interface PaymentResult {
  /** `pending` is confirmed later, by webhook or sweep; `refunded` goes back to the customer; `failed` took no money. */
  state: 'paid' | 'pending' | 'refunded' | 'failed';
  /** The sentence for the customer. */
  message: string;
}

const paid: PaymentResult = {
  state: 'paid',
  message: 'Your payment is confirmed. Thank you!',
};
const failed: PaymentResult = {
  state: 'failed',
  message:
    'This payment could not be used for the order. If money left your account, it is returned in full.',
};

/** The meaning of each outcome for the customer, the same for verify, callback, status and the pages. */
export const paymentResults: Readonly<Record<PaymentOutcome, PaymentResult>> = {
  paid,
  already_paid: paid,
  duplicate_event: paid,
  pending: {
    state: 'pending',
    message: 'Your payment has not been confirmed yet. We will write to you as soon as it is.',
  },
  refund_due: {
    state: 'refunded',
    message: 'Your payment could not be used for this order and is refunded in full.',
  },
  refund_waits: {
    state: 'refunded',
    message:
      'Your payment could not be used for this order. A person looks at it, returns it to you and writes to you.',
  },
  mismatch: {
    state: 'refunded',
    message:
      'Your payment does not have the amount of this order. It is refunded in full; please write to us.',
  },
  duplicate_purchase: {
    state: 'refunded',
    message:
      'You have paid for the same pieces in another order. That order stands; please write to us about this payment, we refund it in full.',
  },
  failed,
  unknown_order: failed,
  other_mode: failed,
};

/** What /api/payment/status answers. PLACED: what is paid online is paid, and the rest is paid at the door. */
export const paymentStatuses = ['COMPLETED', 'PLACED', 'PENDING', 'FAILED', 'REFUNDED'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

const isOutcome = (text: string): text is PaymentOutcome => Object.hasOwn(paymentResults, text);

/** The outcome that an answer or an address names; null for any other value. */
export const readPaymentOutcome = (value: unknown): PaymentOutcome | null =>
  typeof value === 'string' && isOutcome(value) ? value : null;

/** Whether a payment will never be confirmed: it was refunded or failed. */
export const isRefused = (outcome: PaymentOutcome): boolean =>
  paymentResults[outcome].state === 'refunded' || paymentResults[outcome].state === 'failed';
