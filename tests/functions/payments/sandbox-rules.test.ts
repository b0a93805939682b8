import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import {
  keyId,
  keySecret,
  startSandbox,
  type Hook,
  type SandboxServer,
} from '../support/sandbox-server.ts';

/* Rules of Razorpay's documentation that the sandbox has to keep: docs/razorpay.md has the page of each. */

let sandbox: SandboxServer;
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

test('a receipt is used once', async () => {
  await newOrder({ receipt: 'ABC-1-once' });
  await refuses(newOrder({ receipt: 'ABC-1-once' }), 'Order receipt should be unique.');
});

test.each([
  [
    'a field that the API does not have',
    { cart: 1 },
    'cart is/are not required and should not be sent',
  ],
  [
    'capture after less than 12 minutes',
    {
      payment: {
        capture: 'automatic',
        capture_options: { automatic_expiry_period: 11, refund_speed: 'normal' },
      },
    },
    'The automatic expiry period must be at least 12.',
  ],
  [
    'capture after more than five days',
    {
      payment: {
        capture: 'automatic',
        capture_options: {
          automatic_expiry_period: 12,
          manual_expiry_period: 7_201,
          refund_speed: 'normal',
        },
      },
    },
    'The manual expiry period may not be greater than 7200.',
  ],
])('an order with %s is refused', async (_what, change, description) => {
  await refuses(newOrder(change), description);
});

test('a refund with a field that the API does not have is refused', async () => {
  const { id } = await newOrder();
  const payment = await act(`orders/${id}/pay`);
  const input = { amount: 100, reason: 'none' };
  await refuses(
    sandbox.sdk.payments.refund(payment.id, input),
    'reason is/are not required and should not be sent',
  );
});

test('while a payment of an order is authorised, no other one is made', async () => {
  const { id } = await newOrder();
  await act(`orders/${id}/pay`, { status: 'authorized' });
  expect((await sandbox.post(`orders/${id}/pay`)).status).toBe(400);
});

test('a second authorised payment of a paid order is not captured', async () => {
  const { id } = await newOrder();
  await act(`orders/${id}/pay`);
  const second = await act(`orders/${id}/pay`, { status: 'authorized', again: true });
  await refuses(
    sandbox.sdk.payments.capture(second.id, 71_550, 'INR'),
    'Your payment has been declined as the order is already paid. Please initiate the payment with a new order.',
  );
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

test('a refund can stay pending, and is processed later', async () => {
  const { id } = await newOrder();
  const payment = await act(`orders/${id}/pay`);
  sandbox.hooks.length = 0;
  await sandbox.post('faults', { refund: { pending: true } });
  const refund = await sandbox.sdk.payments.refund(payment.id, { amount: 50_000 });
  expect(refund).toMatchObject({ status: 'pending' });
  expect((await sandbox.post(`refunds/${refund.id}/process`)).status).toBe(200);
  expect(await sandbox.sdk.refunds.fetch(refund.id)).toMatchObject({ status: 'processed' });
  await waitForEvents(refund.id, ['refund.created', 'refund.processed']);
  expect((await sandbox.post(`refunds/${refund.id}/fail`)).status).toBe(400);
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

test('the bank can ask for more evidence: the dispute is still open', async () => {
  const { id } = await newOrder();
  const payment = await act(`orders/${id}/pay`);
  const opened = await sandbox.post(`payments/${payment.id}/dispute`);
  const dispute = z.object({ id: z.string() }).parse(await opened.json());
  await sandbox.post(`payments/${payment.id}/dispute`, { status: 'action_required' });
  const hooks = await waitForEvents(dispute.id, [
    'payment.dispute.created',
    'payment.dispute.action_required',
  ]);
  expect(entityOf(hooks[1], 'dispute')).toMatchObject({ status: 'open' });
});

test.each([
  ['too short', 'short', 'The idempotency key must be at least 10 characters long.', 400],
  [
    'of other signs',
    'refund key 0001',
    'The idempotency key must only contain alphanumeric characters, underscores, and hyphens',
    400,
  ],
  [
    'of another request',
    'refund-key-0001',
    'Different request with the same idempotency key has already been processed.',
    409,
  ],
])('an idempotency key %s is refused', async (_what, key, description, status) => {
  const { id } = await newOrder();
  const payment = await act(`orders/${id}/pay`);
  const ask = async (amount: number, idempotencyKey: string): Promise<Response> =>
    fetch(`${sandbox.origin}/local/razorpay/v1/payments/${payment.id}/refund`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}`,
        'content-type': 'application/json',
        'x-refund-idempotency': idempotencyKey,
      },
      body: JSON.stringify({ amount }),
    });
  await ask(100, 'refund-key-0001');
  const answer = await ask(200, key);
  expect([answer.status, await answer.json()]).toMatchObject([status, { error: { description } }]);
});
