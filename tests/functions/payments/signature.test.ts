import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { reportFigures } from '#tests/figures.ts';
import { changedSignatures } from './changed-signatures.ts';
import { isPaymentSignature, isWebhookSignature } from '#core/payments/signature.ts';

const secret = 'a-secret';
const orderId = 'order_AAAAAAAAAAAAAA';
const paymentId = 'pay_BBBBBBBBBBBBBB';
const signed = (message: string | Uint8Array, key = secret): string =>
  createHmac('sha256', key).update(message).digest('hex');
const valid = signed(`${orderId}|${paymentId}`);

const mutations = changedSignatures(valid);

test('the true signature passes', () => {
  expect(isPaymentSignature({ orderId, paymentId, signature: valid }, secret)).toBe(true);
});

test(`each of ${String(mutations.length)} changed signatures is refused`, () => {
  expect(mutations.length).toBeGreaterThanOrEqual(1_000);
  const passed = mutations.filter((signature) =>
    isPaymentSignature({ orderId, paymentId, signature }, secret),
  );
  reportFigures(5, { 'changed signatures': mutations.length, accepted: passed.length });
  expect(passed).toEqual([]);
});

test('a signature for another order, payment or secret is refused', () => {
  expect(
    isPaymentSignature({ orderId: 'order_CCCCCCCCCCCCCC', paymentId, signature: valid }, secret),
  ).toBe(false);
  expect(
    isPaymentSignature({ orderId, paymentId: 'pay_CCCCCCCCCCCCCC', signature: valid }, secret),
  ).toBe(false);
  expect(isPaymentSignature({ orderId, paymentId, signature: valid }, 'b-secret')).toBe(false);
});

test('an empty secret proves nothing, even with a signature made of it', () => {
  const signature = signed(`${orderId}|${paymentId}`, '');
  expect(isPaymentSignature({ orderId, paymentId, signature }, '')).toBe(false);
  expect(isWebhookSignature(Buffer.from('{}'), signed('{}', ''), ['', undefined])).toBe(false);
});

test('a webhook is refused when any one byte of its body is changed', () => {
  const body = Buffer.from(
    JSON.stringify({
      event: 'payment.captured',
      payload: { payment: { entity: { amount: 102_360 } } },
    }),
  );
  const signature = signed(body);
  expect(isWebhookSignature(body, signature, [secret])).toBe(true);
  const passed = [...body.keys()].filter((at) => {
    const changed = Buffer.from(body);
    changed[at] = (changed[at] ?? 0) ^ 1;
    return isWebhookSignature(changed, signature, [secret]);
  });
  reportFigures(5, { 'changed bytes of a body': body.length, 'bodies accepted': passed.length });
  expect(passed).toEqual([]);
});

test('old and new secret are accepted while both are configured, the old one is refused afterwards', () => {
  const body = Buffer.from('{}');
  expect(isWebhookSignature(body, signed(body, 'old'), ['new', 'old'])).toBe(true);
  expect(isWebhookSignature(body, signed(body, 'new'), ['new', 'old'])).toBe(true);
  expect(isWebhookSignature(body, signed(body, 'old'), ['new', undefined])).toBe(false);
});
