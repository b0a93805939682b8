import { createHmac, timingSafeEqual } from 'node:crypto';

/** Hex HMAC-SHA256, the provider's way of signing. */
export function sign(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

/** Signs what Checkout passes to the page: proof that this payment belongs to this order. */
export const signPayment = (orderId: string, paymentId: string, keySecret: string): string =>
  sign(`${orderId}|${paymentId}`, keySecret);

/** Whether an Authorization header carries these Basic credentials. */
export function hasCredentials(header: string | null, keyId: string, keySecret: string): boolean {
  const given = Buffer.from(header ?? '');
  const expected = Buffer.from(`Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
