import * as z from 'zod/mini';
import { callFunction, database, readRows } from '../platform/database.ts';
import { toProviderError } from './payment-provider-error.ts';
import type { PaymentProvider } from './razorpay.ts';
import type { ProviderRefund } from './razorpay-entities.ts';

const dueSchema = z.object({
  id: z.int(),
  payment_id: z.string(),
  amount_paise: z.int(),
  idempotency_key: z.string(),
});

interface Outcome {
  refundId: string | null;
  error: string | null;
  /** False while the provider is still at it. */
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
 * Asks the provider for the refunds that are due, up to `limit` and until `deadline` (ms since the epoch). The
 * idempotency key of each makes a repeated ask harmless. Returns how many were taken and how many not.
 */
export async function requestRefunds(
  provider: PaymentProvider,
  limit: number,
  deadline: number,
): Promise<{ requested: number; failed: number }> {
  const due = await callFunction(
    'claim_refunds',
    { p_limit: limit, p_lease_seconds: 60 },
    z.array(dueSchema),
  );
  let requested = 0;
  let failed = 0;
  for (const { id, payment_id: paymentId, amount_paise: amount, idempotency_key: idempotencyKey } of due) {
    if (Date.now() > deadline) break;
    const outcome = await provider
      .refund({ paymentId, amount, idempotencyKey })
      .then(outcomeOf)
      .catch((error: unknown): Outcome => {
        const { kind, code } = toProviderError(error);
        return { refundId: null, error: `${kind} ${code}`, processed: false };
      });
    await finishRefund(id, outcome);
    if (outcome.error === null) requested += 1;
    else failed += 1;
  }
  return { requested, failed };
}

const knownSchema = z.array(z.object({ id: z.int(), state: z.string() }));

/** Takes a refund's outcome from the provider's event. A refund that is not of this shop's making is left alone. */
export async function recordRefundEvent(refund: ProviderRefund): Promise<void> {
  const query = database().from('refunds').select('id,state').eq('razorpay_refund_id', refund.id).limit(1);
  const [known] = await readRows('refund', query, knownSchema);
  if (!known || known.state === 'processed') return;
  await finishRefund(known.id, outcomeOf(refund));
}
