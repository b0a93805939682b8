import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { eachRow } from '#tests/each-row.ts';
import {
  keyId,
  keySecret,
  startSandbox,
  webhookSecret,
  type Hook,
  type SandboxServer,
} from '#tests/functions/support/sandbox-server.ts';

/* Rules of Razorpay's documentation that the sandbox has to keep: docs/razorpay.md has the page of each. */

let sandbox: SandboxServer;
const hmac = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');
const paidSchema = z.object({ razorpay_payment_id: z.string(), razorpay_signature: z.string() });
const paymentSchema = z.object({
  payment: z.looseObject({ id: z.string(), status: z.string() }),
});

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(async () => sandbox.close());
beforeEach(async () => {
  await sandbox.post('faults');
  sandbox.hooks.length = 0;
  sandbox.answers.length = 0;
});

const newOrder = async (change: object = {}) =>
  sandbox.sdk.orders.create({ amount: 71_550, currency: 'INR', ...change });

/** Pays, fails, or changes what a path names; returns the payment. */
const act = async (path: string, body: object = {}): Promise<{ id: string; status: string }> =>
  paymentSchema.parse(await (await sandbox.post(path, body)).json()).payment;

const refuses = async (
  call: Promise<unknown>,
  description: string,
  status = 400,
): Promise<void> => {
  await expect(call).rejects.toMatchObject({ statusCode: status, error: { description } });
};

const waitForEvents = async (id: string, events: readonly string[]): Promise<Hook[]> =>
  vi.waitFor(
    () => {
      const hooks = sandbox.hooks.filter(({ body }) => body.includes(id));
      expect(hooks.map(({ event }) => event)).toEqual(events);
      return hooks;
    },
    { timeout: 8_000, interval: 20 },
  );

const entityOf = (hook: Hook | undefined, kind: string): unknown =>
  z
    .object({ payload: z.record(z.string(), z.object({ entity: z.unknown() })) })
    .parse(JSON.parse(hook?.body ?? '')).payload[kind]?.entity;

test('an order is made, fetched and found by its receipt, which no other order may have', async () => {
  const order = await newOrder({ receipt: 'ABC-7-receipt' });
  expect(order).toMatchObject({ amount: 71_550, amount_due: 71_550, status: 'created' });
  expect(order.id).toMatch(/^order_[A-Za-z0-9]{14}$/u);
  expect(await sandbox.sdk.orders.fetch(order.id)).toEqual(order);
  const found = await sandbox.sdk.orders.all({ receipt: 'ABC-7-receipt' });
  expect(found.items.map(({ id }) => id)).toEqual([order.id]);
  await refuses(newOrder({ receipt: 'ABC-7-receipt' }), 'Order receipt should be unique.');
});

const capture = (options: object) => ({
  payment: { capture: 'automatic', capture_options: { refund_speed: 'normal', ...options } },
});

test('an order that the API would refuse is refused in its words', () =>
  eachRow(
    [
      [{ amount: 99 }, 'Order amount less than minimum amount allowed'],
      [{ amount: 100.5 }, 'The amount must be an integer.'],
      [{ receipt: 'x'.repeat(41) }, 'The receipt may not be greater than 40 characters.'],
      [{ cart: 1 }, 'cart is/are not required and should not be sent'],
      [
        capture({ automatic_expiry_period: 11 }),
        'The automatic expiry period must be at least 12.',
      ],
      [
        capture({ automatic_expiry_period: 12, manual_expiry_period: 7_201 }),
        'The manual expiry period may not be greater than 7200.',
      ],
    ] as const,
    async ([change, description]) => {
      await refuses(newOrder(change), description);
    },
  ));

test('paying hands out a signature over order and payment, captures the payment, and three webhooks follow, signed over their exact bytes', async () => {
  const order = await newOrder();
  const answer = await sandbox.post('checkout/pay', { key: keyId, order_id: order.id });
  const paid = paidSchema.parse(await answer.json());
  expect(paid.razorpay_signature).toBe(hmac(`${order.id}|${paid.razorpay_payment_id}`, keySecret));
  expect(await sandbox.sdk.payments.fetch(paid.razorpay_payment_id)).toMatchObject({
    status: 'captured',
    captured: true,
    amount: 71_550,
    order_id: order.id,
  });
  expect(await sandbox.sdk.orders.fetch(order.id)).toMatchObject({ status: 'paid', amount_due: 0 });
  const hooks = await waitForEvents(order.id, [
    'payment.authorized',
    'payment.captured',
    'order.paid',
  ]);
  for (const { body, signature } of hooks) expect(signature).toBe(hmac(body, webhookSecret));
  expect(new Set(hooks.map(({ eventId }) => eventId)).size).toBe(3);
  expect(entityOf(hooks[2], 'order')).toMatchObject({ id: order.id, status: 'paid' });
  expect(entityOf(hooks[2], 'payment')).toMatchObject({ amount: 71_550 });
});

test('a webhook that is not taken comes again with the same id and signature', async () => {
  const { id } = await newOrder();
  sandbox.answers.push(503);
  await sandbox.post(`orders/${id}/fail`);
  const [first, second] = await waitForEvents(id, ['payment.failed', 'payment.failed']);
  expect(second).toEqual(first);
});

test('a refund is made once for a key, never above what was paid, and a key that the API would not take is refused', async () => {
  const { id } = await newOrder();
  const payment = await act(`orders/${id}/pay`);
  const refund = async (amount: number, key: string): Promise<[number, unknown]> => {
    const path = `${sandbox.origin}/local/razorpay/v1/payments/${payment.id}/refund`;
    const answer = await fetch(path, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}`,
        'content-type': 'application/json',
        'x-refund-idempotency': key,
      },
      body: JSON.stringify({ amount }),
    });
    return [answer.status, await answer.json()];
  };
  const first = await refund(50_000, 'refund-key-0001');
  expect(first).toMatchObject([200, { amount: 50_000 }]);
  expect(await refund(50_000, 'refund-key-0001')).toEqual(first);
  expect((await refund(50_000, 'refund-key-0002'))[0]).toBe(400);
  expect((await refund(21_550, 'refund-key-0003'))[0]).toBe(200);
  await eachRow(
    [
      ['short', 400, 'The idempotency key must be at least 10 characters long.'],
      [
        'refund key 0001',
        400,
        'The idempotency key must only contain alphanumeric characters, underscores, and hyphens',
      ],
      [
        'refund-key-0001',
        409,
        'Different request with the same idempotency key has already been processed.',
      ],
    ] as const,
    async ([key, status, description]) => {
      expect(await refund(100, key)).toMatchObject([status, { error: { description } }]);
    },
  );
  expect(await sandbox.sdk.payments.fetch(payment.id)).toMatchObject({
    status: 'refunded',
    refund_status: 'full',
    amount_refunded: 71_550,
  });
  expect((await sandbox.sdk.payments.fetchMultipleRefund(payment.id)).count).toBe(2);
});

test('while a payment of an order is authorised, no other one is made', async () => {
  const { id } = await newOrder();
  await act(`orders/${id}/pay`, { status: 'authorized' });
  expect((await sandbox.post(`orders/${id}/pay`)).status).toBe(400);
});

test('a failed payment can be authorised late, and is captured then: the same payment', async () => {
  const { id } = await newOrder();
  const failed = await act(`orders/${id}/fail`);
  expect(await act(`payments/${failed.id}/authorize`)).toMatchObject({
    id: failed.id,
    status: 'authorized',
    error_code: null,
  });
  await sandbox.sdk.payments.capture(failed.id, 71_550, 'INR');
  await waitForEvents(id, [
    'payment.failed',
    'payment.authorized',
    'payment.captured',
    'order.paid',
  ]);
});

test('a payment that is authorised late, after another one was captured, is refunded at once and was never captured', async () => {
  const { id } = await newOrder();
  const failed = await act(`orders/${id}/fail`);
  await act(`orders/${id}/pay`);
  expect(await act(`payments/${failed.id}/authorize`)).toMatchObject({
    status: 'refunded',
    captured: false,
    amount_refunded: 71_550,
  });
});

test('a payment that nobody captures goes back to the customer, and the event says that it was never captured', async () => {
  const { id } = await newOrder();
  const payment = await act(`orders/${id}/pay`, { status: 'authorized' });
  await act(`payments/${payment.id}/expire`);
  const hooks = await waitForEvents(id, [
    'payment.authorized',
    'refund.created',
    'refund.processed',
  ]);
  expect(entityOf(hooks[2], 'payment')).toMatchObject({ status: 'refunded', captured: false });
  expect(entityOf(hooks[2], 'refund')).toMatchObject({ amount: 71_550, receipt: null });
});

test('a pending refund can fail: its money is in the shop again, and it may be asked for again', async () => {
  const { id } = await newOrder();
  const payment = await act(`orders/${id}/pay`);
  await sandbox.post('faults', { refund: { pending: true } });
  const refund = await sandbox.sdk.payments.refund(payment.id, {});
  await sandbox.post(`refunds/${refund.id}/fail`);
  const hooks = await waitForEvents(refund.id, ['refund.created', 'refund.failed']);
  expect(entityOf(hooks[1], 'refund')).toMatchObject({ status: 'failed' });
  expect(await sandbox.sdk.payments.fetch(payment.id)).toMatchObject({
    status: 'captured',
    amount_refunded: 0,
    refund_status: null,
  });
  await sandbox.post('faults');
  expect(await sandbox.sdk.payments.refund(payment.id, {})).toMatchObject({ status: 'processed' });
});
