import * as z from 'zod/mini';
import { callFunction } from '../platform/database.ts';
import { PaymentProviderError } from './payment-provider-error.ts';
import type { PaymentProvider } from './razorpay.ts';
import type { ProviderPayment } from './razorpay-entities.ts';

const markPaidSchema = z.object({
  outcome: z.enum(['paid', 'already_paid', 'refund_due', 'mismatch', 'unknown_order', 'duplicate_event']),
});
/** What `mark_paid` made of a captured payment. */
export type MarkPaidOutcome = z.infer<typeof markPaidSchema>['outcome'];

/** A payment's state after the check; 'pending' is not captured yet, 'failed' never will be. */
export type PaymentOutcome = MarkPaidOutcome | 'pending' | 'failed';

/** The event of a webhook: with it, the database takes each event once. */
export interface ProviderEvent {
  id: string | null;
  name: string;
}

/** The one way to paid. The payment must come from the provider (fetched, or signed by its webhook), captured. */
export async function markPaid(payment: ProviderPayment, event?: ProviderEvent): Promise<MarkPaidOutcome> {
  const answer = await callFunction(
    'mark_paid',
    {
      p_razorpay_order_id: payment.order_id,
      p_payment_id: payment.id,
      p_amount_paise: payment.amount,
      p_currency: payment.currency,
      p_method: payment.method,
      p_event_id: event?.id ?? null,
      p_event: event?.name ?? null,
    },
    markPaidSchema,
  );
  return answer.outcome;
}

/**
 * Fetches a payment and marks its order paid: the fetched payment says its order, amount, currency and status, no
 * matter what the caller claims. Throws PaymentProviderError when the provider does not answer.
 */
export async function confirmPayment(
  provider: PaymentProvider,
  razorpayOrderId: string,
  paymentId: string,
): Promise<PaymentOutcome> {
  const payment = await provider.fetchPayment(paymentId);
  if (payment.id !== paymentId || payment.order_id !== razorpayOrderId) {
    throw new PaymentProviderError('refused', 400, 'OTHER_ORDER');
  }
  if (payment.status === 'captured') return markPaid(payment);
  return payment.status === 'authorized' || payment.status === 'created' ? 'pending' : 'failed';
}
