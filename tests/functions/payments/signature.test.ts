import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { isPaymentSignature, isWebhookSignature } from '../../../netlify/server/payments/signature.ts';

const secret = 'a-secret';
const orderId = 'order_AAAAAAAAAAAAAA';
const paymentId = 'pay_BBBBBBBBBBBBBB';
const signed = (message: string | Uint8Array, key = secret): string =>
  createHmac('sha256', key).update(message).digest('hex');
const valid = signed(`${orderId}|${paymentId}`);

/** Every position with every other hex digit, every case, every length, and what is not hex at all. */
const mutations = [
  ...Array.from({ length: 64 }, (_, at) =>
    Array.from('0123456789abcdef')
      .filter((digit) => digit !== valid[at])
      .map((digit) => valid.slice(0, at) + digit + valid.slice(at + 1)),
  ).flat(),
  ...Array.from({ length: 64 }, (_, length) => valid.slice(0, length)),
  valid.toUpperCase(),
  `${valid}0`,
  `${valid}\n`,
  ` ${valid}`,
  'undefined',
  '[object Object]',
  Buffer.from(valid, 'hex').toString('base64'),
];

test('the true signature passes', () => {
  expect(isPaymentSignature({ orderId, paymentId, signature: valid }, secret)).toBe(true);
});

test(`each of ${String(mutations.length)} changed signatures is refused`, () => {
  expect(mutations.length).toBeGreaterThanOrEqual(1_000);
  const passed = mutations.filter((signature) =>
    isPaymentSignature({ orderId, paymentId, signature }, secret),
  );
  expect(passed).toEqual([]);
});

test('a signature for another order, payment or secret is refused', () => {
  expect(isPaymentSignature({ orderId: 'order_CCCCCCCCCCCCCC', paymentId, signature: valid }, secret)).toBe(
    false,
  );
  expect(isPaymentSignature({ orderId, paymentId: 'pay_CCCCCCCCCCCCCC', signature: valid }, secret)).toBe(
    false,
  );
  expect(isPaymentSignature({ orderId, paymentId, signature: valid }, 'b-secret')).toBe(false);
});

test('an empty secret proves nothing, even with a signature made of it', () => {
  const signature = signed(`${orderId}|${paymentId}`, '');
  expect(isPaymentSignature({ orderId, paymentId, signature }, '')).toBe(false);
  expect(isWebhookSignature(Buffer.from('{}'), signed('{}', ''), ['', undefined])).toBe(false);
});

test('a webhook is refused when any one byte of its body is changed', () => {
  const body = Buffer.from(
    JSON.stringify({ event: 'payment.captured', payload: { payment: { entity: { amount: 102_360 } } } }),
  );
  const signature = signed(body);
  expect(isWebhookSignature(body, signature, [secret])).toBe(true);
  const passed = [...body.keys()].filter((at) => {
    const changed = Buffer.from(body);
    changed[at] = (changed[at] ?? 0) ^ 1;
    return isWebhookSignature(changed, signature, [secret]);
  });
  expect(passed).toEqual([]);
});

test('old and new secret are accepted while both are configured, the old one is refused afterwards', () => {
  const body = Buffer.from('{}');
  expect(isWebhookSignature(body, signed(body, 'old'), ['new', 'old'])).toBe(true);
  expect(isWebhookSignature(body, signed(body, 'new'), ['new', 'old'])).toBe(true);
  expect(isWebhookSignature(body, signed(body, 'old'), ['new', undefined])).toBe(false);
});
