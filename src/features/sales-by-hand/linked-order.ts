import {
  linkedOrderSchema,
  paymentPath,
  type LinkedOrder,
  type PaymentLink,
} from '#domain/checkout/payment-link.ts';
import type { CheckoutResponse } from '#services/checkout/payment-result.ts';
import { timeLimit } from '#services/time-limit.ts';
import { beginLeaving } from '#services/leave-page.ts';

/** The query of the link's own page, which its endpoints take too. */
const queryOf = (link: PaymentLink): string => paymentPath(link).replace('/pay', '');

/** Where the provider, or this page for it, posts a payment. The response redirects to the link's page. */
export const callbackPath = (link: PaymentLink): string => `/api/payment/callback${queryOf(link)}`;

/** Fetches the order of a payment link; null when the link is not valid. Throws without a response. */
export async function fetchLinkedOrder(
  link: PaymentLink,
  signal?: AbortSignal,
): Promise<LinkedOrder | null> {
  const answer = await fetch(`/api/payment/link${queryOf(link)}`, {
    signal: signal ?? timeLimit(15_000),
  });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`The link answered ${String(answer.status)}`);
  return linkedOrderSchema.parse(await answer.json());
}

/** Posts Checkout's response as a form, as the provider does in an in-app browser. Leaves the page. */
export function postPayment(link: PaymentLink, proof: CheckoutResponse): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = callbackPath(link);
  for (const name of ['razorpay_order_id', 'razorpay_payment_id', 'razorpay_signature'] as const) {
    const input = document.createElement('input');
    Object.assign(input, { type: 'hidden', name, value: proof[name] });
    form.append(input);
  }
  document.body.append(form);
  beginLeaving();
  form.submit();
}
