import {
  paymentResults,
  type PaymentOutcome,
  type PaymentResult,
  type PaymentStatus,
} from '#domain/checkout/payment-outcome.ts';
import type { RequestContext } from '#core/platform/http/http.ts';
import type { StoredOrder } from './orders.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import {
  requireCheckoutSignature,
  type CheckoutResponse,
} from '#core/payments/checkout-response.ts';
import { confirmPayment } from '#core/payments/confirm-payment.ts';
import { getPaymentProvider } from '#core/payments/payment-provider.ts';
import { PaymentProviderError } from '#core/payments/payment-provider-error.ts';
import { countCost } from '#core/platform/costs.ts';

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

const statuses: Readonly<Record<PaymentResult['state'], PaymentStatus>> = {
  paid: 'COMPLETED',
  pending: 'PENDING',
  refunded: 'REFUNDED',
  failed: 'FAILED',
};

/** What became of the payment of an order, by its row. */
function outcomeOf({ status, payment_status: payment }: StoredOrder): PaymentOutcome {
  if (status === 'COMPLETED') return 'paid';
  if (payment === 'REFUND_DUE' || payment === 'REFUNDED') return 'refund_due';
  return status === 'PENDING' ? 'pending' : 'failed';
}

/**
 * The status of an order for the customer who paid it, with the sentence, by its row and without asking the provider. PLACED: nothing
 * more is paid online for an order that is paid at the door.
 */
export function statusOfOrder(order: StoredOrder): { status: PaymentStatus; message: string } {
  const { status, hold_state: hold } = order;
  if (status === 'PENDING' && (hold === 'reserved' || hold === 'taken'))
    return { status: 'PLACED', message: 'Your order is placed. Thank you!' };
  const { state, message } = paymentResults[outcomeOf(order)];
  return { status: statuses[state], message };
}
