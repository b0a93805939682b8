import {
  paymentResults,
  type PaymentOutcome,
  type PaymentResult,
} from '../../../src/domain/checkout/payment-outcome.ts';
import { afterResponse } from '../platform/background.ts';
import type { RequestContext } from '../platform/http.ts';
import type { StoredOrder } from './orders.ts';
import { sendOutbox } from '../mail/outbox.ts';
import { requireCheckoutSignature, type CheckoutResponse } from '../payments/checkout-response.ts';
import { confirmPayment } from '../payments/confirm-payment.ts';
import { getPaymentProvider } from '../payments/payment-provider.ts';
import { PaymentProviderError } from '../payments/payment-provider-error.ts';

/**
 * Proves a checkout response by its signature, asks the provider for the payment and confirms its order. Every way that a
 * payment is reported by the customer's browser comes here. Throws HttpError 400 `not_verified` for a response that is
 * not proved. When the provider does not answer the outcome is `pending`: webhook or sweep confirm it.
 */
export async function confirmCheckout(
  { context, addLogFields }: RequestContext,
  response: CheckoutResponse,
  order: StoredOrder,
): Promise<PaymentOutcome> {
  const provider = getPaymentProvider({ context });
  addLogFields({ order: order.id });
  requireCheckoutSignature(response, order.razorpay_order_id, provider.keySecrets);
  try {
    const outcome = await confirmPayment(provider, order, response.razorpay_payment_id);
    addLogFields({ outcome });
    await afterResponse(context, 'outbox', () => sendOutbox());
    return outcome;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    const outcome = error.isUnknownId ? 'failed' : 'pending';
    addLogFields({ outcome, cause: error.code });
    return outcome;
  }
}

/**
 * Whether the provider has money of this payment for the order, or cannot say. A checkout that was opened before the API keys
 * changed is signed with the old secret: what its customer paid is no failed payment. Confirms nothing.
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

/** The payment result of an order by its row, without asking the provider. */
export function resultOfOrder({ status, payment_status: payment }: StoredOrder): PaymentResult {
  if (status === 'COMPLETED') return paymentResults.paid;
  if (payment === 'REFUND_DUE' || payment === 'REFUNDED') return paymentResults.refund_due;
  return status === 'PENDING' ? paymentResults.pending : paymentResults.failed;
}
