import type { Config } from '@netlify/functions';
import { paymentResults } from '#domain/checkout/payment-outcome.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { numbersOf, requireOwnOrder } from '#core/checkout/orders.ts';
import { checkoutResponseSchema } from '#core/payments/checkout-response.ts';
import { confirmCheckout } from '#core/checkout/confirm-checkout.ts';
import { readJson } from '#core/platform/http/request-body.ts';

/**
 * POST /api/payment/verify: the customer's own order, the provider's signature, then the provider's own word. Three calls one
 * after the other: the account and its order, both at once; the provider's payment; the order paid.
 */
export default endpoint({
  route: 'payment/verify',
  method: 'POST',
  async handler(ctx) {
    const response = await readJson(ctx.request, checkoutResponseSchema);
    const stored = await requireOwnOrder(ctx.request, response.razorpay_order_id);
    const outcome = await confirmCheckout(ctx, response, stored);
    const { state, message } = paymentResults[outcome];
    const isPaid = state === 'paid';
    const answer = { success: isPaid, verified: isPaid, outcome, order: numbersOf(stored) };
    if (state === 'refunded') throw new HttpError(409, outcome, message, answer);
    if (state === 'failed') throw new HttpError(400, 'not_verified', message, answer);
    return json({ ...answer, message }, isPaid ? 200 : 202);
  },
});

export const config: Config = { path: '/api/payment/verify' };
