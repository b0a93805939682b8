import type { Config } from '@netlify/functions';
import { HttpError } from '../server/platform/http-error.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { requireOwnOrder } from '../server/checkout/orders.ts';
import { checkoutResponseSchema, notVerified } from '../server/payments/checkout-response.ts';
import { confirmCheckout } from '../server/payments/confirm-checkout.ts';
import { readJson } from '../server/platform/request-body.ts';

/**
 * POST /api/payment/verify: the shopper's own order, the provider's signature, then the provider's own word. Three calls one
 * after the other: who asks and which order, both at once; the provider's payment; the order paid.
 */
export default endpoint({
  route: 'payment/verify',
  method: 'POST',
  async handler(ctx) {
    const response = await readJson(ctx.request, checkoutResponseSchema);
    const stored = await requireOwnOrder(ctx.request, response.razorpay_order_id);
    const { state, message } = await confirmCheckout(ctx, response, stored);
    const order = { id: stored.merchant_transaction_id, number: stored.id };
    switch (state) {
      case 'paid':
        return json({ success: true, verified: true, order });
      case 'pending':
        return json({ success: false, verified: false, pending: true, message, order }, 202);
      case 'refunded':
        throw new HttpError(409, 'refund_due', message, { success: false, verified: false, order });
      default:
        throw notVerified();
    }
  },
});

export const config: Config = { path: '/api/payment/verify' };
