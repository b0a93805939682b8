import * as z from 'zod/mini';
import {
  markPaidOutcomes,
  type MarkPaidOutcome,
  type PaymentOutcome,
} from '#domain/checkout/payment-outcome.ts';
import { shop } from '#settings/shop.ts';
import { callFunction } from '#core/platform/database.ts';
import { PaymentProviderError } from './payment-provider-error.ts';
import type { PaymentProvider } from './razorpay.ts';
import type { ProviderPayment } from './razorpay-entities.ts';

const markPaidSchema = z.object({
  outcome: z.enum(markPaidOutcomes),
});

/** The event of a webhook: with it, the database takes each event once. */
export interface ProviderEvent {
  id: string | null;
  name: string;
}

/**
 * The one way to paid. The payment must come from the provider (fetched, or signed by its webhook), captured. `keyId` is
 * the API key in use: a test key's payment never pays an order of a live one.
 */
export async function markPaid(
  payment: ProviderPayment,
  keyId: string | null,
  event?: ProviderEvent,
): Promise<MarkPaidOutcome> {
  const args = {
    p_razorpay_order_id: payment.order_id,
    p_payment_id: payment.id,
    p_amount_paise: payment.amount,
    p_currency: payment.currency,
    p_method: payment.method,
    p_event_id: event?.id ?? null,
    p_event: event?.name ?? null,
    p_key_id: keyId,
    p_low_stock_below: shop.limits.lowStockBelow,
  };
  const madeAt =
    payment.created_at === null ? null : new Date(payment.created_at * 1_000).toISOString();
  const answer = await callFunction('mark_paid', { ...args, p_made_at: madeAt }, markPaidSchema);
  return answer.outcome;
}

/**
 * Fetches a payment and marks its order paid: order, amount, currency and status come from the fetched payment, no
 * matter what the caller claims. Throws PaymentProviderError when the provider does not answer.
 */
export async function confirmPayment(
  provider: PaymentProvider,
  order: { razorpay_order_id: string; hold_state: string | null },
  paymentId: string,
): Promise<PaymentOutcome> {
  const payment = await provider.fetchPayment(paymentId);
  if (payment.id !== paymentId || payment.order_id !== order.razorpay_order_id) {
    throw new PaymentProviderError('refused', 400, 'OTHER_ORDER');
  }
  return confirmFetchedPayment(provider, payment, order.hold_state === 'held');
}

/**
 * Confirms a payment that was fetched. An authorised one is captured first while its order holds its stock: automatic
 * capture may be late, or switched off, and what is not captured goes back to the customer. Throws PaymentProviderError when the provider does not answer.
 */
export async function confirmFetchedPayment(
  provider: PaymentProvider,
  payment: ProviderPayment,
  holdsStock: boolean,
): Promise<PaymentOutcome> {
  switch (payment.status) {
    case 'captured':
      return markPaid(payment, provider.keyId);
    case 'authorized': {
      if (!holdsStock) return 'pending';
      const captured = await captureOrRead(provider, payment);
      return captured.status === 'captured' ? markPaid(captured, provider.keyId) : 'pending';
    }
    case 'created':
      return 'pending';
    default:
      return 'failed';
  }
}

/** Captures a payment. A refused capture may mean that it is captured already, so it is fetched again. */
async function captureOrRead(
  provider: PaymentProvider,
  payment: ProviderPayment,
): Promise<ProviderPayment> {
  try {
    return await provider.capture(payment);
  } catch (error) {
    if (!(error instanceof PaymentProviderError) || error.kind === 'unreachable') throw error;
    return provider.fetchPayment(payment.id);
  }
}
