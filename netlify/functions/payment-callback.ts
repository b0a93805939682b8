import type { Config } from '@netlify/functions';
import { afterResponse } from '../server/platform/background.ts';
import { HttpError } from '../server/platform/http-error.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { findOrder } from '../server/checkout/orders.ts';
import { sendOutbox } from '../server/mail/outbox.ts';
import { notVerified, checkoutResponseSchema, requireCheckoutSignature, type CheckoutResponse } from '../server/payments/checkout-response.ts';
import { getPaymentProvider } from '../server/payments/payment-provider.ts';
import { PaymentProviderError } from '../server/payments/payment-provider-error.ts';
import { mediaType, readBytes, readJson } from '../server/platform/request-body.ts';
import { confirmPayment, type PaymentOutcome } from '../server/payments/confirm-payment.ts';
import type { RequestContext } from '../server/platform/http.ts';

/** Verifies what Checkout handed out and confirms the payment. 'pending' when the provider does not answer: webhook and sweep finish it. */
async function confirmCheckout({ context, addLogFields }: RequestContext, checkoutResponse: CheckoutResponse): Promise<PaymentOutcome> {
  const provider = getPaymentProvider({ context });
  const order = await findOrder(checkoutResponse.razorpay_order_id);
  if (!order) throw notVerified();
  addLogFields({ order: order.id });
  requireCheckoutSignature(checkoutResponse, order.razorpay_order_id, provider.keySecret);
  try {
    const outcome = await confirmPayment(provider, order.razorpay_order_id, checkoutResponse.razorpay_payment_id);
    await afterResponse(context, 'outbox', () => sendOutbox());
    addLogFields({ outcome });
    return outcome;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    addLogFields({ outcome: 'pending', cause: error.code });
    return 'pending';
  }
}

const redirect = (path: string): Response => new Response(null, { status: 303, headers: { location: path } });

/*
 * The form that Razorpay posts through the shopper's browser (`callback_url`, in-app browsers). A person waits for
 * the answer, so every outcome is a page: paid, pending, or back to the cart after a failed payment.
 */
async function respondToForm(ctx: RequestContext): Promise<Response> {
  const form = Object.fromEntries(
    new URLSearchParams(new TextDecoder().decode(await readBytes(ctx.request))),
  );
  const checkoutResponse = checkoutResponseSchema.safeParse(form);
  if (!checkoutResponse.success) return redirect('/cart?payment=failed');
  const { razorpay_payment_id, razorpay_order_id } = checkoutResponse.data;
  const query = new URLSearchParams({ payment_id: razorpay_payment_id, order_id: razorpay_order_id });
  let outcome: PaymentOutcome;
  try {
    outcome = await confirmCheckout(ctx, checkoutResponse.data);
  } catch (error) {
    ctx.addLogFields({ error: error instanceof HttpError ? error.code : 'unexpected' });
    if (error instanceof HttpError && error.status < 500) return redirect('/cart?payment=failed');
    outcome = 'pending';
  }
  if (outcome === 'failed') return redirect('/cart?payment=failed');
  if (outcome !== 'paid' && outcome !== 'already_paid') query.set('status', 'pending');
  return redirect(`/order-success?${query.toString()}`);
}

/** POST /api/payment/callback: JSON from the page, or the provider's form post. Its `status` is never trusted. */
export default endpoint({
  route: 'payment/callback',
  method: 'POST',
  async handler(ctx) {
    if (mediaType(ctx.request) === 'application/x-www-form-urlencoded') return respondToForm(ctx);
    await confirmCheckout(ctx, await readJson(ctx.request, checkoutResponseSchema));
    return json({ received: true });
  },
});

export const config: Config = { path: '/api/payment/callback' };
