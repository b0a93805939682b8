import * as z from 'zod/mini';
import { shownWord } from '#domain/sql-word.ts';
import { callFunction, callNewFunction } from '#core/platform/database.ts';
import { logLine } from '#core/platform/log.ts';
import { PaymentProviderError, toProviderError } from './payment-provider-error.ts';
import type { PaymentProvider } from './razorpay.ts';
import type { ProviderDispute, ProviderRefund } from './razorpay-entities.ts';

const dueSchema = z.object({
  id: z.int(),
  payment_id: z.string(),
  amount_paise: z.int(),
  idempotency_key: z.string(),
});
type DueRefund = z.infer<typeof dueSchema>;

const parallelRefunds = 4;

interface Outcome {
  refundId: string | null;
  error: string | null;
  /** False while the provider is processing it. */
  processed: boolean;
}

async function finishRefund(id: number, { refundId, error, processed }: Outcome): Promise<void> {
  const args = { p_id: id, p_razorpay_refund_id: refundId, p_error: error, p_processed: processed };
  await callFunction('finish_refund', args, z.unknown());
}

function outcomeOf({ id, status }: ProviderRefund): Outcome {
  return {
    refundId: id,
    error: status === 'failed' ? 'failed at the provider' : null,
    processed: status === 'processed',
  };
}

/**
 * Requests the due refunds from the provider, up to `limit` and until `deadline` (ms since the epoch). The
 * idempotency key of each makes a repeated request harmless. Returns how many were taken and how many not.
 */
export async function requestRefunds(
  provider: PaymentProvider,
  limit: number,
  deadline: number,
): Promise<{ requested: number; failed: number }> {
  let requested = 0;
  let failed = 0;
  const send = async ({
    id,
    payment_id: paymentId,
    amount_paise: amountPaise,
    idempotency_key: idempotencyKey,
  }: DueRefund): Promise<void> => {
    const outcome = await provider
      .refund({ paymentId, amountPaise, idempotencyKey })
      .then(outcomeOf)
      .catch((error: unknown): Outcome => {
        const { kind, code } = toProviderError(error);
        return { refundId: null, error: `${kind} ${code}`, processed: false };
      });
    await finishRefund(id, outcome);
    if (outcome.error === null) requested += 1;
    else failed += 1;
  };
  // Few at a time, because a claimed refund counts as an attempt.
  while (requested + failed < limit && Date.now() < deadline) {
    const due = await callFunction(
      'claim_refunds',
      { p_limit: parallelRefunds, p_lease_seconds: 60 },
      z.array(dueSchema),
    );
    await Promise.all(due.map(send));
    if (due.length < parallelRefunds) break;
  }
  return { requested, failed };
}

const pollSchema = z.object({
  id: z.int(),
  payment_id: z.string(),
  razorpay_refund_id: z.nullable(z.string()),
});

/** What SQL `record_refund` answers. */
export const recordRefundOutcomes = ['recorded', 'unknown_payment'] as const;

/** Records a refund as the provider has it, whoever made it. Returns false when its payment is not known here. */
export async function recordRefund(refund: ProviderRefund): Promise<boolean> {
  const args = {
    p_payment_id: refund.payment_id,
    p_razorpay_refund_id: refund.id,
    p_amount_paise: refund.amount,
    p_status: refund.status,
    p_receipt: refund.receipt,
  };
  const { outcome } = await callFunction(
    'record_refund',
    args,
    z.object({ outcome: shownWord(recordRefundOutcomes) }),
  );
  return outcome === 'recorded';
}

/** What SQL `record_dispute` answers. */
export const recordDisputeOutcomes = ['recorded', 'old', 'unknown_payment'] as const;

/**
 * Records what became of a dispute and notifies the admin. `event` as the webhook names it; without it, what the dispute's
 * status says. Returns false when nothing of it is new, or its payment is not known here.
 */
export async function recordDispute(
  dispute: ProviderDispute,
  event = dispute.status === 'open' ? 'created' : dispute.status,
): Promise<boolean> {
  const { respond_by: respondBy } = dispute;
  const args = {
    p_payment_id: dispute.payment_id,
    p_dispute_id: dispute.id,
    p_event: event,
    p_amount_paise: dispute.amount,
  };
  const answerSchema = z.object({ outcome: shownWord(recordDisputeOutcomes) });
  const { outcome } = await callNewFunction(
    'record_dispute',
    {
      ...args,
      p_phase: dispute.phase,
      p_reason: dispute.reason_code,
      p_respond_by: respondBy ? new Date(respondBy * 1000).toISOString() : null,
      p_deducted_paise: dispute.amount_deducted,
    },
    answerSchema,
    'of release 1.3.2',
    () => callFunction('record_dispute', args, answerSchema),
  );
  return outcome === 'recorded';
}

/** Reminds the admin of disputes whose last day to answer has begun. */
export const remindOfDisputes = (): Promise<number> =>
  callNewFunction('queue_dispute_reminders', {}, z.int(), 'of release 1.3.2', () =>
    Promise.resolve(0),
  );

/** Records all refunds of a payment as the provider has them. Throws PaymentProviderError when they cannot all be read. */
export async function recordRefundsOf(provider: PaymentProvider, paymentId: string): Promise<void> {
  const { items, unreadable } = await provider.fetchRefunds(paymentId);
  for (const refund of items) await recordRefund(refund);
  if (unreadable > 0) throw new PaymentProviderError('failed', 200, 'UNREADABLE');
}

/**
 * Queries the provider about refunds without a final state: those that it works on, and failed ones that may have been made
 * after all. Returns how many were looked at.
 */
export async function pollRefunds(
  provider: PaymentProvider,
  limit: number,
  deadline: number,
): Promise<{ polled: number }> {
  const waiting = await callFunction('refunds_to_poll', { p_limit: limit }, z.array(pollSchema));
  let polled = 0;
  for (const { id, payment_id: paymentId } of waiting) {
    if (Date.now() > deadline) break;
    try {
      await recordRefundsOf(provider, paymentId);
      await callFunction('clear_unanswered_refund', { p_id: id }, z.unknown());
      polled += 1;
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error;
      logLine({ task: 'poll refunds', refund: id, error: error.kind, code: error.code });
    }
  }
  return { polled };
}
