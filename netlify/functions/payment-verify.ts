import type { Config } from '@netlify/functions';
import { afterResponse } from '../server/platform/background.ts';
import { HttpError } from '../server/platform/http-error.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { requireOwnOrder, type StoredOrder } from '../server/checkout/orders.ts';
import { sendOutbox } from '../server/mail/outbox.ts';
import { notVerified, checkoutResponseSchema, requireCheckoutSignature } from '../server/payments/checkout-response.ts';
import { toPaymentHttpError, getPaymentProvider } from '../server/payments/payment-provider.ts';
import { PaymentProviderError } from '../server/payments/payment-provider-error.ts';
import { readJson } from '../server/platform/request-body.ts';
import { confirmPayment, type PaymentOutcome } from '../server/payments/confirm-payment.ts';
import { requireShopper } from '../server/auth/shopper.ts';

function answer(outcome: PaymentOutcome, order: StoredOrder): Response {
  const { merchant_transaction_id: id, id: number } = order;
  switch (outcome) {
    case 'paid':
    case 'already_paid':
    case 'duplicate_event':
      return json({ success: true, verified: true, order: { id, number } });
    case 'pending':
      return json({ success: false, verified: false, pending: true, order: { id, number } }, 202);
    case 'refund_due':
      throw new HttpError(
        409,
        'refund_due',
        'Your payment could not be used for this order and is refunded in full.',
        {
          success: false,
          verified: false,
        },
      );
    default:
      throw notVerified();
  }
}

/** POST /api/payment/verify: the shopper's own order, the provider's signature, then the payment as the provider reports it. */
export default endpoint({
  route: 'payment/verify',
  method: 'POST',
  async handler({ request, context, addLogFields }) {
    const provider = getPaymentProvider({ context });
    const shopper = await requireShopper(request);
    const checkoutResponse = await readJson(request, checkoutResponseSchema);
    const order = await requireOwnOrder(shopper.id, checkoutResponse.razorpay_order_id);
    addLogFields({ order: order.id });
    requireCheckoutSignature(checkoutResponse, order.razorpay_order_id, provider.keySecret);
    try {
      const outcome = await confirmPayment(provider, order.razorpay_order_id, checkoutResponse.razorpay_payment_id);
      addLogFields({ outcome });
      await afterResponse(context, 'outbox', () => sendOutbox());
      return answer(outcome, order);
    } catch (error) {
      if (error instanceof PaymentProviderError && !error.mayHaveHappened) throw notVerified(error);
      throw toPaymentHttpError(error);
    }
  },
});

export const config: Config = { path: '/api/payment/verify' };
