import type { Config } from '@netlify/functions';
import { afterAnswer } from '../server/platform/background.ts';
import { HttpError } from '../server/platform/http-error.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { findOrder } from '../server/checkout/orders.ts';
import { sendOutbox } from '../server/mail/outbox.ts';
import { notVerified, checkoutResponseSchema, requireCheckoutSignature, type CheckoutResponse } from '../server/payments/checkout-response.ts';
import { getPaymentProvider } from '../server/payments/payment-provider.ts';
import { PaymentProviderError } from '../server/payments/payment-provider-error.ts';
import { mediaType, readBytes, readJson } from '../server/platform/request-body.ts';
import { confirmPayment, type PaymentOutcome } from '../server/payments/confirm-payment.ts';
import type { Call } from '../server/platform/http.ts';

/** Proves a claim and settles it. 'pending' when the provider does not answer: webhook and sweep finish it. */
async function confirmCheckout({ context, note }: Call, claim: CheckoutResponse): Promise<PaymentOutcome> {
  const provider = getPaymentProvider({ context });
  const order = await findOrder(claim.razorpay_order_id);
  if (!order) throw notVerified();
  note({ order: order.id });
  requireCheckoutSignature(claim, order.razorpay_order_id, provider.keySecret);
  try {
    const outcome = await confirmPayment(provider, order.razorpay_order_id, claim.razorpay_payment_id);
    await afterAnswer(context, 'outbox', () => sendOutbox());
    note({ outcome });
    return outcome;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    note({ outcome: 'pending', cause: error.code });
    return 'pending';
  }
}

const redirect = (path: string): Response => new Response(null, { status: 303, headers: { location: path } });

/*
 * The form that Razorpay posts through the shopper's browser (`callback_url`, in-app browsers). A person waits for
 * the answer, so every outcome is a page: paid, pending, or back to the cart after a failed payment.
 */
async function answerForm(call: Call): Promise<Response> {
  const form = Object.fromEntries(
    new URLSearchParams(new TextDecoder().decode(await readBytes(call.request))),
  );
  const claim = checkoutResponseSchema.safeParse(form);
  if (!claim.success) return redirect('/cart?payment=failed');
  const { razorpay_payment_id, razorpay_order_id } = claim.data;
  const query = new URLSearchParams({ payment_id: razorpay_payment_id, order_id: razorpay_order_id });
  let outcome: PaymentOutcome;
  try {
    outcome = await confirmCheckout(call, claim.data);
  } catch (error) {
    call.note({ error: error instanceof HttpError ? error.code : 'unexpected' });
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
  async handler(call) {
    if (mediaType(call.request) === 'application/x-www-form-urlencoded') return answerForm(call);
    await confirmCheckout(call, await readJson(call.request, checkoutResponseSchema));
    return json({ received: true });
  },
});

export const config: Config = { path: '/api/payment/callback' };
