import {
  paymentResults,
  type PaymentOutcome,
  type PaymentResult,
} from '../../../src/domain/checkout/payment-outcome.ts';
import type { RequestContext } from '../platform/http/http.ts';
import type { StoredOrder } from './orders.ts';
import { sendOutboxAfterResponse } from '../mail/outbox.ts';
import { requireCheckoutSignature, type CheckoutResponse } from '../payments/checkout-response.ts';
import { confirmPayment } from '../payments/confirm-payment.ts';
import { getPaymentProvider } from '../payments/payment-provider.ts';
import { PaymentProviderError } from '../payments/payment-provider-error.ts';
import { countCost } from '../platform/costs.ts';

/**
 * Proves a checkout response by its signature, fetches the payment from the provider and confirms its order. Every way that a
 * payment is reported by the customer's browser comes here. Throws HttpError 400 `not_verified` for a response that is
 * not proved; the provider is not queried about it. When the provider does not answer, or was queried too often about this order, the
 * outcome is `pending`: webhook or sweep confirm it.
 */
export async function confirmCheckout(
  { context, addLogFields }: RequestContext,
  response: CheckoutResponse,
  order: StoredOrder,
): Promise<PaymentOutcome> {
  const provider = getPaymentProvider({ context });
  addLogFields({ order: order.id });
  requireCheckoutSignature(response, order.razorpay_order_id, provider.keySecrets);
  if (order.status === 'COMPLETED' && order.payment_id === response.razorpay_payment_id)
    return 'already_paid';
  // Razorpay limits calls per shop: a signed response that is sent again and again must not use up those of every checkout.
  if (!(await countCost('provider_call', { account: `order:${String(order.id)}` })))
    return 'pending';
  try {
    const outcome = await confirmPayment(provider, order, response.razorpay_payment_id);
    addLogFields({ outcome });
    await sendOutboxAfterResponse({ context });
    return outcome;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    const outcome = error.isUnknownId ? 'failed' : 'pending';
    addLogFields({ outcome, cause: error.code });
    return outcome;
  }
}

const placed: PaymentResult = {
  state: 'paid',
  message: 'Your order is placed. Thank you!',
};

/** The payment result of an order by its row, without asking the provider. Nothing more is to be paid for a cash order by then. */
export function resultOfOrder({
  status,
  payment_status: payment,
  hold_state: hold,
}: StoredOrder): PaymentResult {
  if (status === 'PENDING' && (hold === 'reserved' || hold === 'taken')) return placed;
  if (status === 'COMPLETED') return paymentResults.paid;
  if (payment === 'REFUND_DUE' || payment === 'REFUNDED') return paymentResults.refund_due;
  return status === 'PENDING' ? paymentResults.pending : paymentResults.failed;
}
