import { createHmac } from 'node:crypto';
import { Script } from 'node:vm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import {
  keyId,
  keySecret,
  startSandbox,
  webhookSecret,
  type Hook,
  type SandboxServer,
} from '../support/sandbox-server.ts';

let sandbox: SandboxServer;
const idOf = (kind: string): RegExp => new RegExp(`^${kind}_[A-Za-z0-9]{14}$`, 'u');
const hmac = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');
const paidSchema = z.object({
  razorpay_payment_id: z.string(),
  razorpay_order_id: z.string(),
  razorpay_signature: z.string(),
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

const newOrder = async (receipt = `ABC-${crypto.randomUUID()}`) =>
  sandbox.sdk.orders.create({
    amount: 71_550,
    currency: 'INR',
    receipt,
    notes: { order_id: '1001' },
  });

async function payOrder(orderId: string): Promise<z.infer<typeof paidSchema>> {
  const answer = await sandbox.post('checkout/pay', {
    key: keyId,
    order_id: orderId,
    email: 'a@kasavu.example',
  });
  return paidSchema.parse(await answer.json());
}

/** Waits for so many webhooks about an order: one of an earlier test may come again after a restart. */
const waitForHooks = async (orderId: string, count: number): Promise<Hook[]> =>
  vi.waitFor(
    () => {
      const hooks = sandbox.hooks.filter(({ body }) => body.includes(orderId));
      expect(hooks).toHaveLength(count);
      return hooks;
    },
    { timeout: 8_000, interval: 20 },
  );

test('the SDK makes an order, fetches it and finds it by its receipt', async () => {
  const order = await newOrder('ABC-7-receipt');
  expect(order).toMatchObject({
    entity: 'order',
    amount: 71_550,
    amount_due: 71_550,
    status: 'created',
    receipt: 'ABC-7-receipt',
  });
  expect(order.id).toMatch(idOf('order'));
  expect(await sandbox.sdk.orders.fetch(order.id)).toEqual(order);
  const found = await sandbox.sdk.orders.all({ receipt: 'ABC-7-receipt' });
  expect(found.items.map(({ id }) => id)).toEqual([order.id]);
});

test.each([
  [{ amount: 99, currency: 'INR' }, 'Order amount less than minimum amount allowed', 'amount'],
  [{ amount: 100.5, currency: 'INR' }, 'The amount must be an integer.', 'amount'],
  [
    { amount: 100, currency: 'INR', receipt: 'x'.repeat(41) },
    'The receipt may not be greater than 40 characters.',
    'receipt',
  ],
])("an order of %j is refused in the provider's words", async (input, description, field) => {
  await expect(sandbox.sdk.orders.create(input)).rejects.toMatchObject({
    statusCode: 400,
    error: { code: 'BAD_REQUEST_ERROR', description, field },
  });
});

test('wrong credentials are refused with 401', async () => {
  const answer = await fetch(`${sandbox.origin}/local/razorpay/v1/orders`, {
    headers: { authorization: `Basic ${btoa(`${keyId}:wrong`)}` },
  });
  expect([answer.status, await answer.json()]).toMatchObject([
    401,
    { error: { description: 'Authentication failed' } },
  ]);
});

test('paying hands out a signature over order and payment, and captures the payment', async () => {
  const order = await newOrder();
  const paid = await payOrder(order.id);
  expect(paid.razorpay_signature).toBe(hmac(`${order.id}|${paid.razorpay_payment_id}`, keySecret));
  expect(paid.razorpay_payment_id).toMatch(idOf('pay'));
  const payment = await sandbox.sdk.payments.fetch(paid.razorpay_payment_id);
  expect(payment).toMatchObject({
    status: 'captured',
    captured: true,
    amount: 71_550,
    order_id: order.id,
    email: 'a@kasavu.example',
  });
  expect(await sandbox.sdk.orders.fetch(order.id)).toMatchObject({ status: 'paid', amount_due: 0 });
  const { items } = await sandbox.sdk.orders.fetchPayments(order.id);
  expect(items.map(({ id }) => id)).toEqual([paid.razorpay_payment_id]);
});

test('a paid order is not paid again, unless a second device is requested', async () => {
  const order = await newOrder();
  await payOrder(order.id);
  expect((await sandbox.post(`orders/${order.id}/pay`)).status).toBe(400);
  expect((await sandbox.post(`orders/${order.id}/pay`, { again: true })).status).toBe(200);
  expect((await sandbox.sdk.orders.fetchPayments(order.id)).count).toBe(2);
});

test('three webhooks follow a payment, in order, signed over their exact bytes', async () => {
  const order = await newOrder();
  await payOrder(order.id);
  const hooks = await waitForHooks(order.id, 3);
  expect(hooks.map(({ event }) => event)).toEqual([
    'payment.authorized',
    'payment.captured',
    'order.paid',
  ]);
  for (const { body, signature } of hooks) expect(signature).toBe(hmac(body, webhookSecret));
  expect(new Set(hooks.map(({ eventId }) => eventId)).size).toBe(3);
  expect(JSON.parse(hooks[2]?.body ?? '')).toMatchObject({
    entity: 'event',
    contains: ['payment', 'order'],
    payload: {
      order: { entity: { id: order.id, status: 'paid' } },
      payment: { entity: { amount: 71_550 } },
    },
  });
});

test('a webhook that is not taken comes again with the same id and signature', async () => {
  const order = await newOrder();
  sandbox.answers.push(503);
  await sandbox.post(`orders/${order.id}/fail`);
  const [first, second] = await waitForHooks(order.id, 2);
  expect(first?.event).toBe('payment.failed');
  expect(second).toEqual(first);
});

test("a failed attempt has the provider's error, and the order can still be paid", async () => {
  const order = await newOrder();
  const answer = await sandbox.post('checkout/fail', { key: keyId, order_id: order.id });
  expect(await answer.json()).toMatchObject({
    error: {
      code: 'BAD_REQUEST_ERROR',
      reason: 'payment_failed',
      metadata: { order_id: order.id },
    },
  });
  expect(await sandbox.sdk.orders.fetch(order.id)).toMatchObject({
    status: 'attempted',
    attempts: 1,
  });
  await payOrder(order.id);
  expect(await sandbox.sdk.orders.fetch(order.id)).toMatchObject({ status: 'paid', attempts: 2 });
});

test('an authorised payment is captured later', async () => {
  const order = await newOrder();
  const answer = await sandbox.post(`orders/${order.id}/pay`, { status: 'authorized' });
  const { razorpay_payment_id: id } = paidSchema.parse(await answer.json());
  expect(await sandbox.sdk.payments.fetch(id)).toMatchObject({
    status: 'authorized',
    captured: false,
  });
  await sandbox.sdk.payments.capture(id, 71_550, 'INR');
  expect(await sandbox.sdk.payments.fetch(id)).toMatchObject({ status: 'captured' });
});

const refund = async (
  paymentId: string,
  body: unknown,
  key: string,
): Promise<{ status: number; id: string }> => {
  const answer = await fetch(`${sandbox.origin}/local/razorpay/v1/payments/${paymentId}/refund`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}`,
      'content-type': 'application/json',
      'x-refund-idempotency': key,
    },
    body: JSON.stringify(body),
  });
  return {
    status: answer.status,
    id: z.object({ id: z.string().default('') }).parse(await answer.json()).id,
  };
};

test('a refund is made once for a key, refused for another body, and never above what was paid', async () => {
  const { razorpay_payment_id: id } = await payOrder((await newOrder()).id);
  const first = await refund(id, { amount: 50_000 }, 'refund-key-0001');
  expect(first).toMatchObject({ status: 200, id: expect.stringMatching(idOf('rfnd')) as unknown });
  expect(await refund(id, { amount: 50_000 }, 'refund-key-0001')).toEqual(first);
  expect((await refund(id, { amount: 40_000 }, 'refund-key-0001')).status).toBe(409);
  expect((await refund(id, { amount: 50_000 }, 'refund-key-0002')).status).toBe(400);
  expect((await refund(id, { amount: 21_550 }, 'refund-key-0003')).status).toBe(200);
  expect(await sandbox.sdk.payments.fetch(id)).toMatchObject({
    status: 'refunded',
    refund_status: 'full',
    amount_refunded: 71_550,
  });
  expect((await sandbox.sdk.payments.fetchMultipleRefund(id)).count).toBe(2);
});

test('refunds and disputes are listed newest first, by time and page by page, and a dispute is reported', async () => {
  const { razorpay_payment_id: id } = await payOrder((await newOrder()).id);
  await sandbox.sdk.payments.refund(id, { amount: 100 });
  await sandbox.sdk.payments.refund(id, { amount: 200 });
  await sandbox.post(`payments/${id}/dispute`);
  await sandbox.post(`payments/${id}/dispute`, { status: 'won' });
  const now = Math.floor(Date.now() / 1000);
  const refunds = await sandbox.sdk.refunds.all({ from: now - 60, to: now + 60, count: 1 });
  expect(refunds.items).toMatchObject([{ payment_id: id, amount: 200 }]);
  const second = await sandbox.sdk.refunds.all({ from: now - 60, to: now + 60, count: 1, skip: 1 });
  expect(second.items).toMatchObject([{ payment_id: id, amount: 100 }]);
  expect((await sandbox.sdk.refunds.all({ to: now - 60 })).items).toEqual([]);
  const disputes = await sandbox.sdk.disputes.all({ count: 10 });
  expect(disputes.items).toMatchObject([{ payment_id: id, amount: 71_550, status: 'won' }]);
  await vi.waitFor(() => {
    expect(sandbox.hooks.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['payment.dispute.created', 'payment.dispute.won']),
    );
  });
});

test('the ledger is still there after a restart', async () => {
  const order = await newOrder();
  const { razorpay_payment_id: id } = await payOrder(order.id);
  await sandbox.restart();
  expect(await sandbox.sdk.orders.fetch(order.id)).toMatchObject({ status: 'paid' });
  expect(await sandbox.sdk.payments.fetch(id)).toMatchObject({ status: 'captured' });
});

test('an API fault refuses as many calls as requested, without effect', async () => {
  await sandbox.post('faults', { api: { status: 503, times: 1 } });
  await expect(newOrder('ABC-refused')).rejects.toMatchObject({
    statusCode: 503,
    error: { code: 'SERVER_ERROR' },
  });
  expect((await sandbox.sdk.orders.all({ receipt: 'ABC-refused' })).count).toBe(0);
});

test('a dropped reply cuts the connection after the order was made', async () => {
  await sandbox.post('faults', { api: { dropReply: true, times: 1 } });
  await expect(newOrder('ABC-dropped')).rejects.toThrow();
  expect((await sandbox.sdk.orders.all({ receipt: 'ABC-dropped' })).count).toBe(1);
});

test('a delay fault makes the API slow', async () => {
  await sandbox.post('faults', { api: { delayMs: 300, times: 1 } });
  const began = performance.now();
  await newOrder();
  expect(performance.now() - began).toBeGreaterThanOrEqual(295);
});

test.each([
  [
    'duplicate',
    [
      'payment.authorized',
      'payment.authorized',
      'payment.captured',
      'payment.captured',
      'order.paid',
      'order.paid',
    ],
  ],
  ['reordered', ['order.paid', 'payment.captured', 'payment.authorized']],
])('webhooks can arrive %s', async (mode, events) => {
  await sandbox.post('faults', { webhook: { mode } });
  const { id } = await newOrder();
  await payOrder(id);
  const hooks = await waitForHooks(id, events.length);
  expect(hooks.map(({ event }) => event)).toEqual(events);
  expect(new Set(hooks.map(({ eventId }) => eventId)).size).toBe(3);
});

test('webhooks can be lost, and the list of deliveries says so', async () => {
  await sandbox.post('faults', { webhook: { mode: 'lost' } });
  const { id } = await newOrder();
  await payOrder(id);
  await vi.waitFor(async () => {
    const state: unknown = await (
      await fetch(`${sandbox.origin}/local/razorpay/state.json`)
    ).json();
    const { deliveries } = z
      .object({ deliveries: z.array(z.object({ state: z.string() })) })
      .parse(state);
    expect(deliveries.slice(0, 3).map((delivery) => delivery.state)).toEqual([
      'lost',
      'lost',
      'lost',
    ]);
  });
  // On a busy machine a webhook of an earlier order may come once more.
  expect(sandbox.hooks.filter(({ body }) => body.includes(id))).toEqual([]);
});

test('faults that make no sense are refused, and the form on the page sets them', async () => {
  expect((await sandbox.post('faults', { webhook: { mode: 'sideways' } })).status).toBe(400);
  const answer = await fetch(`${sandbox.origin}/local/razorpay/faults`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      delayMs: '',
      status: '502',
      times: '2',
      mode: 'duplicate',
      webhookDelayMs: '50',
    }),
  });
  expect(answer.status).toBe(303);
  const set: unknown = await (await fetch(`${sandbox.origin}/local/razorpay/faults`)).json();
  expect(set).toEqual({
    api: { status: 502, times: 2 },
    webhook: { mode: 'duplicate', delayMs: 50 },
    refund: { pending: false },
  });
});

test.each(['checkout.js', 'checkout/dialog.js'])(
  '%s is JavaScript without types, for a strict content policy',
  async (path) => {
    const answer = await fetch(`${sandbox.origin}/local/razorpay/${path}`);
    const script = await answer.text();
    expect(answer.headers.get('content-type')).toContain('text/javascript');
    expect(() => new Script(script)).not.toThrow();
    expect(script).not.toMatch(/innerHTML|\beval\b/u);
  },
);

const openWindow = async (options: unknown): Promise<Response> =>
  fetch(`${sandbox.origin}/local/razorpay/checkout/page`, {
    method: 'POST',
    body: new URLSearchParams({ options: JSON.stringify(options) }),
  });

test('the page of the checkout may be framed by the shop alone, and go on to the shop alone', async () => {
  const options = {
    key: keyId,
    order_id: 'order_1',
    callback_url: `${sandbox.origin}/api/payment/callback`,
    name: '"><script>',
  };
  for (const answer of [
    await fetch(`${sandbox.origin}/local/razorpay/checkout/page`),
    await openWindow(options),
  ]) {
    expect(answer.status).toBe(200);
    const policy = answer.headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        `frame-ancestors ${sandbox.origin}`,
        `form-action ${sandbox.origin}`,
        "script-src 'self'",
      ]),
    );
    expect((await answer.text()).match(/<script/gu)).toHaveLength(1);
  }
});

test.each([
  ['another key', { key: 'rzp_sandbox_other' }, 401],
  ['no order', { order_id: undefined }, 400],
  [
    'a callback to somebody else',
    { callback_url: 'https://evil.example/api/payment/callback' },
    400,
  ],
  ['a callback that is no address', { callback_url: 'callback' }, 400],
])('a window with %s is not opened', async (_what, changes, status) => {
  const options = {
    key: keyId,
    order_id: 'order_1',
    callback_url: `${sandbox.origin}/api/payment/callback`,
  };
  expect((await openWindow({ ...options, ...changes })).status).toBe(status);
});
