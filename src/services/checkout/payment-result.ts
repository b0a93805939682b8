import * as z from 'zod/mini';
import { checkoutSettings } from '#domain/checkout/checkout-settings.ts';
import { readVerified } from '#domain/checkout/payment.ts';
import {
  paymentStatuses,
  readPaymentOutcome,
  type PaymentOutcome,
} from '#domain/checkout/payment-outcome.ts';
import { getAccessToken } from '#services/auth/account.ts';
import { timeLimit } from '#services/time-limit.ts';

/** Razorpay's result after a payment. */
export interface CheckoutResponse {
  razorpay_order_id: string;
  razorpay_payment_id: string;
  razorpay_signature: string;
}

/** Sends a payment to the backend; the answer is only logged (spec section 7). Never throws. */
export async function sendCallback(proof: CheckoutResponse): Promise<void> {
  try {
    const answer = await fetch('/api/payment/callback', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...proof, status: 'success', timestamp: new Date().toISOString() }),
      // The page may be left before the response.
      keepalive: true,
    });
    if (!answer.ok) console.warn(`The payment callback was answered ${String(answer.status)}`);
  } catch (error) {
    console.warn('The payment callback could not be sent', error);
  }
}

/**
 * The backend's verdict on a payment; `pending` when it gives none. Null without a readable response within 15 s.
 * Never throws: the money has been paid by now.
 */
export async function verifyPayment(proof: CheckoutResponse): Promise<PaymentOutcome | null> {
  try {
    const token = await getAccessToken();
    const answer = await fetch('/api/payment/verify', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token ?? ''}` },
      body: JSON.stringify(proof),
      signal: timeLimit(checkoutSettings.verifyTimeoutMs),
    });
    const json: unknown = await answer.json();
    if (answer.ok && readVerified(json)) return 'paid';
    return verifiedSchema.safeParse(json).data?.outcome ?? 'pending';
  } catch (error) {
    console.warn('The payment could not be verified', error);
    return null;
  }
}

const verifiedSchema = z.object({
  outcome: z.pipe(z.unknown(), z.transform(readPaymentOutcome)),
});

const statusSchema = z.object({
  status: z.enum(paymentStatuses),
  number: z.union([z.number(), z.string()]),
  message: z._default(z.string(), ''),
});
export interface PaymentStatus {
  status: z.infer<typeof statusSchema>['status'];
  /** The sentence for the customer. */
  message: string;
  /** The shop's order number, e.g. '1001'. */
  number: string;
}

/** The payment status of the customer's own order; null when signed out, unknown or offline. */
export async function fetchPaymentStatus(
  orderId: string,
  signal?: AbortSignal,
): Promise<PaymentStatus | null> {
  try {
    const token = await getAccessToken();
    if (token === null) return null;
    const answer = await fetch(`/api/payment/status?order_id=${encodeURIComponent(orderId)}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: signal ?? timeLimit(checkoutSettings.verifyTimeoutMs),
    });
    if (!answer.ok) return null;
    const { status, number, message } = statusSchema.parse(await answer.json());
    return { status, number: String(number), message };
  } catch (error) {
    console.warn('The payment status could not be read', error);
    return null;
  }
}
