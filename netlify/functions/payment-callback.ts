import type { Config } from '@netlify/functions';
import { paymentPath, readPaymentLink } from '#domain/checkout/payment-link.ts';
import {
  isRefused,
  paymentResults,
  type PaymentOutcome,
} from '#domain/checkout/payment-outcome.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import {
  endpoint,
  failureFields,
  json,
  toHttpError,
  type RequestContext,
} from '#core/platform/http/http.ts';
import { findOrder, type StoredOrder } from '#core/checkout/orders.ts';
import {
  checkoutResponseSchema,
  notVerified,
  type CheckoutResponse,
} from '#core/payments/checkout-response.ts';
import { confirmCheckout } from '#core/checkout/confirm-checkout.ts';
import { mediaType, readBytes, readJson } from '#core/platform/http/request-body.ts';

const redirect = (path: string): Response =>
  new Response(null, { status: 303, headers: { location: path } });

/**
 * The outcome of a payment. A response with a wrong signature is forged, or its checkout was opened before the API keys changed:
 * it confirms nothing, and no page shows a failure for a payment that webhook or sweep may still find.
 */
async function outcomeOf(
  ctx: RequestContext,
  response: CheckoutResponse,
  order: StoredOrder,
): Promise<PaymentOutcome> {
  try {
    return await confirmCheckout(ctx, response, order);
  } catch (error) {
    if (!(error instanceof HttpError) || error.code !== 'not_verified') throw error;
    ctx.addLogFields(failureFields(error));
    return 'pending';
  }
}

/*
 * The form that Razorpay posts through the customer's browser (`callback_url`, in-app browsers). A person waits for
 * the answer, so every outcome is a page: confirmed, still open, or back to the cart after a failed payment. A payment link
 * brings its own query, and its page shows the outcome.
 */
async function answerForm(ctx: RequestContext): Promise<Response> {
  const form = Object.fromEntries(
    new URLSearchParams(new TextDecoder().decode(await readBytes(ctx.request))),
  );
  const response = checkoutResponseSchema.safeParse(form);
  const link = readPaymentLink(new URL(ctx.request.url).searchParams);
  const failed = redirect(link ? `${paymentPath(link)}&payment=failed` : '/cart?payment=failed');
  if (!response.success) return failed;
  const { razorpay_payment_id, razorpay_order_id } = response.data;
  let outcome: PaymentOutcome;
  try {
    const order = await findOrder(razorpay_order_id);
    if (!order) throw notVerified();
    outcome = await outcomeOf(ctx, response.data, order);
  } catch (error) {
    ctx.addLogFields(failureFields(error));
    outcome = toHttpError(error).status < 500 ? 'failed' : 'pending';
  }
  const { state } = paymentResults[outcome];
  if (state === 'failed') return failed;
  const shown = isRefused(outcome) ? outcome : state;
  if (link) return redirect(`${paymentPath(link)}&payment=${shown}`);
  const query = new URLSearchParams({
    payment_id: razorpay_payment_id,
    order_id: razorpay_order_id,
  });
  if (state !== 'paid') query.set('status', 'pending');
  // This payment is never confirmed: the page shows why.
  if (isRefused(outcome)) query.set('payment', outcome);
  return redirect(`/order-success?${query.toString()}`);
}

/**
 * POST /api/payment/callback. The provider's form post proves and confirms a payment. The page's JSON (spec section 7) is
 * acknowledged only: the same page sends the proof to /api/payment/verify.
 */
export default endpoint({
  route: 'payment/callback',
  method: 'POST',
  anyOrigin: true,
  async handler(ctx) {
    if (mediaType(ctx.request) === 'application/x-www-form-urlencoded') return answerForm(ctx);
    await readJson(ctx.request, checkoutResponseSchema);
    return json({ received: true });
  },
});

export const config: Config = { path: '/api/payment/callback' };
