import * as z from 'zod/mini';
import { HttpError } from '#core/platform/http/http-error.ts';
import { orderIdSchema, paymentIdSchema } from './razorpay-entities.ts';
import { isPaymentSignature } from './signature.ts';

/** Checkout's response after a payment; its signature must be verified. */
export const checkoutResponseSchema = z.object({
  razorpay_order_id: orderIdSchema,
  razorpay_payment_id: paymentIdSchema,
  razorpay_signature: z.string().check(z.maxLength(200)),
});
export type CheckoutResponse = z.infer<typeof checkoutResponseSchema>;

/** The refusal of an unproved payment, the same for every reason. */
export function notVerified(cause?: unknown): HttpError {
  const fields = { success: false, verified: false };
  return new HttpError(400, 'not_verified', 'Payment verification failed', fields, cause);
}

/** Throws unless the signature fits the STORED order id and the payment id of the response, under one of the secrets. */
export function requireCheckoutSignature(
  checkoutResponse: CheckoutResponse,
  storedOrderId: string,
  keySecrets: readonly string[],
): void {
  const { razorpay_payment_id: paymentId, razorpay_signature: signature } = checkoutResponse;
  const proof = { orderId: storedOrderId, paymentId, signature };
  if (!keySecrets.some((secret) => isPaymentSignature(proof, secret))) throw notVerified();
}
