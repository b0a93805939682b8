import { afterResponse } from '../platform/background.ts';
import type { RequestContext } from '../platform/http.ts';
import type { StoredOrder } from '../checkout/orders.ts';
import { sendOutbox } from '../mail/outbox.ts';
import { requireCheckoutSignature, type CheckoutResponse } from './checkout-response.ts';
import { confirmPayment, type PaymentOutcome } from './confirm-payment.ts';
import { getPaymentProvider } from './payment-provider.ts';
import { PaymentProviderError } from './payment-provider-error.ts';

/** What a shopper is told of their payment. */
export interface CheckoutResult {
  /** `paid`; `pending`, to be confirmed later; `refunded`, which is on its way back; `failed`, nothing was paid. */
  state: 'paid' | 'pending' | 'refunded' | 'failed';
  message: string;
}

const pending: CheckoutResult = {
  state: 'pending',
  message: 'Your payment has not been confirmed yet. We will write to you as soon as it is.',
};
const refunded: CheckoutResult = {
  state: 'refunded',
  message: 'Your payment could not be used for this order and is refunded in full.',
};
const failed: CheckoutResult = { state: 'failed', message: 'Payment verification failed' };

/** The one table from what became of a payment to what the shopper is told, whichever way the payment was reported. */
const checkoutResults: Readonly<Record<PaymentOutcome, CheckoutResult>> = {
  paid: { state: 'paid', message: 'Payment verified' },
  already_paid: { state: 'paid', message: 'Payment verified' },
  duplicate_event: { state: 'paid', message: 'Payment verified' },
  pending,
  refund_due: refunded,
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

/**
 * Proves a checkout response by its signature, asks the provider for the payment and confirms its order. Every way that a
 * payment is reported by the shopper's browser comes here. Throws HttpError 400 `not_verified` for a response that is
 * not proved. When the provider does not answer the result is pending: webhook or sweep confirm it.
 */
export async function confirmCheckout(
  { context, addLogFields }: RequestContext,
  response: CheckoutResponse,
  order: StoredOrder,
): Promise<CheckoutResult> {
  const provider = getPaymentProvider({ context });
  addLogFields({ order: order.id });
  requireCheckoutSignature(response, order.razorpay_order_id, provider.keySecrets);
  try {
    const outcome = await confirmPayment(provider, order, response.razorpay_payment_id);
    addLogFields({ outcome });
    await afterResponse(context, 'outbox', () => sendOutbox());
    return checkoutResults[outcome];
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    addLogFields({ outcome: error.isUnknownId ? 'failed' : 'pending', cause: error.code });
    return error.isUnknownId ? failed : pending;
  }
}

/**
 * Whether the provider has money of this payment for the order, or cannot say. A checkout that was opened before the API keys
 * changed is signed with the old secret: what its shopper paid is no failed payment. Confirms nothing.
 */
export async function mayBePaid(
  { context }: RequestContext,
  paymentId: string,
  order: StoredOrder,
): Promise<boolean> {
  try {
    const payment = await getPaymentProvider({ context }).fetchPayment(paymentId);
    return (
      payment.order_id === order.razorpay_order_id &&
      (payment.status === 'captured' || payment.status === 'authorized')
    );
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    return !error.isUnknownId;
  }
}

/** What is known of an order's payment without asking the provider, for the confirmation page. */
export function resultOfOrder({ status, payment_status: payment }: StoredOrder): CheckoutResult {
  if (status === 'COMPLETED') return checkoutResults.paid;
  if (payment === 'REFUND_DUE' || payment === 'REFUNDED') return refunded;
  return status === 'PENDING' ? pending : failed;
}
