import { createHmac, timingSafeEqual } from 'node:crypto';

/*
 * The SDK's helpers compare with `===`, accept an empty secret and hash an object as '[object Object]'; these
 * compare in constant time, refuse an empty secret, and take text or bytes only.
 */
function matches(secret: string, message: string | Uint8Array, signature: string): boolean {
  if (secret === '' || !/^[0-9a-f]{64}$/u.test(signature)) return false;
  const expected = createHmac('sha256', secret).update(message).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

/** Whether Checkout's signature (hex) fits the order id that WE stored, and the payment id, under the key secret. */
export function isPaymentSignature(
  { orderId, paymentId, signature }: { orderId: string; paymentId: string; signature: string },
  keySecret: string,
): boolean {
  return matches(keySecret, `${orderId}|${paymentId}`, signature);
}

/** Whether a webhook's signature (hex) fits its raw body under one of the secrets (new and previous). */
export function isWebhookSignature(
  body: Uint8Array,
  signature: string,
  secrets: readonly (string | undefined)[],
): boolean {
  return secrets.some((secret) => secret !== undefined && matches(secret, body, signature));
}
