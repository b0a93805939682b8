import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import sweepEndpoint from '../../../netlify/functions/payment-sweep.ts';
import verifyEndpoint from '../../../netlify/functions/payment-verify.ts';
import { startStack, type Answer, type Shopper, type Stack } from '../support/stack.ts';
import { sendEvent, sendRaw } from './webhook-events.ts';

let stack: Stack;
let shopper: Shopper;

beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());
beforeEach(async () => {
  shopper = await stack.signUp();
  stack.mail.mails.length = 0;
  stack.razorpay.faults.length = 0;
  stack.razorpay.calls.length = 0;
});

const sweep = (): Promise<Answer> =>
  stack.call(sweepEndpoint, '/.netlify/functions/payment-sweep', {
    method: 'POST',
    body: '{"next_run":"2026-11-20T10:05:00Z"}',
  });

async function openOrder(stock = 3): Promise<{ number: unknown; razorpayOrderId: string; ring: string }> {
  const ring = await stack.addProduct({ stock });
  const answer = await stack.createOrder(shopper, [{ product_id: ring, quantity: stock }]);
  const { number } = answer.json['order'] as { number: unknown };
  return { number, razorpayOrderId: String(answer.json['order_id']), ring };
}

/** Lets the hold's time pass. */
const expire = (number: unknown): Promise<unknown> =>
  stack.database.sql(
    `update public.orders set created_at = created_at - interval '20 minutes', hold_expires_at = now() - interval '1 second',
     next_check_at = now() - interval '1 second' where id = $1`,
    number,
  );

const buyRest = async (ring: string): Promise<void> => {
  const [other, left] = [await stack.signUp(), await stack.stockOf(ring)];
  const answer = await stack.createOrder(other, [{ product_id: ring, quantity: left }]);
  await sendEvent(
    stack,
    'payment.captured',
    stack.razorpay.pay(String(answer.json['order_id'])).razorpay_payment_id,
  );
  stack.mail.mails.length = 0;
};

test('a hold whose time has not come is left alone', async () => {
  const { number } = await openOrder();
  await sweep();
  expect(await stack.orderRow(number)).toMatchObject({ status: 'PENDING', hold_state: 'held' });
});

test('a paid order whose webhook was lost and whose browser was closed is completed', async () => {
  const { number, razorpayOrderId } = await openOrder();
  stack.razorpay.pay(razorpayOrderId, { status: 'failed' });
  stack.razorpay.pay(razorpayOrderId);
  await expire(number);
  const answer = await sweep();
  expect(answer).toMatchObject({
    status: 200,
    json: { orders: { checked: 1, paid: 1 }, mail: { sent: 2, failed: 0 } },
  });
  expect(await stack.orderRow(number)).toMatchObject({ status: 'COMPLETED', hold_state: 'taken' });
  expect(stack.mail.mails).toHaveLength(2);
});

test('an expired hold without a payment goes back to the shelf, once', async () => {
  const { number, razorpayOrderId, ring } = await openOrder();
  stack.razorpay.pay(razorpayOrderId, { status: 'failed' });
  await expire(number);
  expect(await sweep()).toMatchObject({ json: { orders: { checked: 1, released: 1 } } });
  await expire(number);
  expect(await sweep()).toMatchObject({ json: { orders: { checked: 1, released: 0, unpaid: 1 } } });
  expect(await stack.stockOf(ring)).toBe(3);
  expect(await stack.orderRow(number)).toMatchObject({ status: 'FAILED', hold_state: 'released' });
});

test.each(['drop', 'error', 'html', 'garbage', 'conflict'] as const)(
  'nothing is released while the provider answers with "%s"',
  async (fault) => {
    const { number, ring } = await openOrder();
    await expire(number);
    stack.razorpay.faults.push({ call: 'GET /v1/orders', fault });
    expect(await sweep()).toMatchObject({
      status: 200,
      json: { orders: { checked: 1, released: 0, left: 1 } },
    });
    expect(await stack.orderRow(number)).toMatchObject({ status: 'PENDING', hold_state: 'held' });
    expect(await stack.stockOf(ring)).toBe(0);
    await stack.database.sql('update public.orders set next_check_at = null where id = $1', number);
  },
);

test('an order that Razorpay does not know gives its stock back, and the admin is told once', async () => {
  const orders = [await openOrder(), await openOrder()];
  for (const { number } of orders) await expire(number);
  stack.razorpay.orders.length = 0;
  expect(await sweep()).toMatchObject({ json: { orders: { checked: 2, released: 2 } } });
  for (const { number, ring } of orders) {
    expect(await stack.orderRow(number)).toMatchObject({ status: 'FAILED', release_reason: 'unknown_at_provider' });
    expect(await stack.stockOf(ring)).toBe(3);
  }
  expect(stack.mail.mails.filter(({ raw }) => raw.includes('Open orders that Razorpay does not know'))).toHaveLength(1);
});

test('a payment in the list that cannot be read spoils neither the others nor the order', async () => {
  const paid = await openOrder();
  stack.razorpay.pay(paid.razorpayOrderId, { amount: 'much' as unknown as number });
  stack.razorpay.pay(paid.razorpayOrderId);
  const open = await openOrder();
  stack.razorpay.pay(open.razorpayOrderId, { id: 'pay_x' });
  for (const { number } of [paid, open]) await expire(number);
  expect(await sweep()).toMatchObject({ json: { orders: { checked: 2, paid: 1, left: 1 } } });
  expect(await stack.orderRow(paid.number)).toMatchObject({ status: 'COMPLETED' });
  expect(await stack.orderRow(open.number)).toMatchObject({ hold_state: 'held' });
  await stack.database.sql('update public.orders set next_check_at = null');
});

test('a long list of due orders is looked at in one run, and keeps neither refunds nor mail waiting', async () => {
  const { number, razorpayOrderId } = await openOrder();
  stack.razorpay.pay(razorpayOrderId);
  await sendEvent(stack, 'payment.captured', stack.razorpay.payments.at(-1)?.id ?? '');
  stack.razorpay.pay(razorpayOrderId);
  await sendEvent(stack, 'payment.captured', stack.razorpay.payments.at(-1)?.id ?? '');
  stack.mail.mails.length = 0;
  await stack.database.sql(
    `insert into public.orders (user_id, merchant_transaction_id, items, total_paise, hold_state, held_since, hold_expires_at, next_check_at, razorpay_order_id)
     select user_id, 'KSV-many-' || n, '[]', 100, 'held', now(), now(), now(), 'order_' || lpad(n::text, 14, '0')
     from public.orders, generate_series(1, 150) n where id = $1`,
    number,
  );
  stack.razorpay.orders.push(...Array.from({ length: 150 }, (_, n) => ({
    id: `order_${String(n + 1).padStart(14, '0')}`, amount: 100, currency: 'INR', receipt: `KSV-many-${String(n + 1)}`, status: 'created', notes: [],
  })));
  expect(await sweep()).toMatchObject({ json: { orders: { checked: 150, released: 150, left: 0 }, refunds: { requested: 1, failed: 0 } } });
});

test('an authorised payment of an order that holds its stock is captured', async () => {
  const { number, razorpayOrderId } = await openOrder();
  stack.razorpay.pay(razorpayOrderId, { status: 'authorized' });
  await expire(number);
  expect(await sweep()).toMatchObject({ json: { orders: { paid: 1 } } });
  expect(await stack.orderRow(number)).toMatchObject({ status: 'COMPLETED' });
});

test('a payment that the bank works on keeps its hold until it is captured', async () => {
  const { number, razorpayOrderId } = await openOrder();
  stack.razorpay.pay(razorpayOrderId, { status: 'authorized' });
  stack.razorpay.faults.push({ call: 'POST /v1/payments', fault: 'error' });
  await expire(number);
  expect(await sweep()).toMatchObject({ json: { orders: { left: 1 } } });
  expect(await stack.orderRow(number)).toMatchObject({ hold_state: 'held' });
  Object.assign(stack.razorpay.payments.at(-1) ?? {}, { status: 'captured' });
  await expire(number);
  expect(await sweep()).toMatchObject({ json: { orders: { paid: 1 } } });
});

test('an order that never reached the provider is released without asking it', async () => {
  const { number, ring } = await openOrder();
  await stack.database.sql('update public.orders set razorpay_order_id = null where id = $1', number);
  await expire(number);
  stack.razorpay.calls.length = 0;
  await sweep();
  expect(stack.razorpay.calls.filter((call) => call.startsWith('GET /v1/orders'))).toEqual([]);
  expect(await stack.stockOf(ring)).toBe(3);
});

test('paid after expiry with the stock still there: the order is completed', async () => {
  const { number, razorpayOrderId, ring } = await openOrder();
  await expire(number);
  await sweep();
  const claim = stack.razorpay.pay(razorpayOrderId);
  await sendEvent(stack, 'payment.captured', claim.razorpay_payment_id);
  expect(await stack.orderRow(number)).toMatchObject({ status: 'COMPLETED', hold_state: 'taken' });
  expect(await stack.stockOf(ring)).toBe(0);
});

test('paid after expiry with the stock gone: one refund, both sides told, however often it is triggered', async () => {
  const { number, razorpayOrderId, ring } = await openOrder();
  await expire(number);
  await sweep();
  await buyRest(ring);
  const claim = stack.razorpay.pay(razorpayOrderId);
  const refunds = stack.razorpay.refunds.length;
  await Promise.all(
    Array.from({ length: 10 }, () => sendEvent(stack, 'payment.captured', claim.razorpay_payment_id)),
  );
  const verified = await stack.call(verifyEndpoint, '/api/payment/verify', {
    method: 'POST',
    token: shopper.token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(claim),
  });
  expect(verified).toMatchObject({ status: 409, json: { error: 'refund_due', success: false } });
  stack.razorpay.faults.push({ call: 'POST /v1/payments', fault: 'lose' });
  expect(await sweep()).toMatchObject({ json: { refunds: { requested: 0, failed: 1 } } });
  await stack.database.sql(`update public.refunds set next_attempt_at = now() - interval '1 second'`);
  expect(await sweep()).toMatchObject({ json: { refunds: { requested: 1, failed: 0 } } });
  await sweep();
  expect(stack.razorpay.refunds.slice(refunds)).toMatchObject([
    { payment_id: claim.razorpay_payment_id, amount: 307_080 },
  ]);
  expect(await stack.orderRow(number)).toMatchObject({ payment_status: 'REFUNDED' });
  expect(stack.mail.mails.map(({ to }) => to[0]).sort()).toEqual([
    'anjali@example.com',
    'owner@kasavu.example',
  ]);
});

test.each([
  ['processed', 'processed', []],
  ['failed', 'failed', ['owner@kasavu.example']],
])('a refund under way that the provider reports as %s is kept as %s', async (status, state, told) => {
  const { razorpayOrderId } = await openOrder();
  await sendEvent(stack, 'payment.captured', stack.razorpay.pay(razorpayOrderId).razorpay_payment_id);
  const second = stack.razorpay.pay(razorpayOrderId).razorpay_payment_id;
  await sendEvent(stack, 'payment.captured', second);
  const known = `rfnd_${second.slice(-14)}`;
  await stack.database.sql(
    `update public.refunds set state = 'requested', razorpay_refund_id = $1 where payment_id = $2`,
    known,
    second,
  );
  stack.mail.mails.length = 0;
  const entity = { id: known, payment_id: second, amount: 306_900, status };
  const answer = await sendRaw(
    stack,
    JSON.stringify({ event: `refund.${status}`, payload: { refund: { entity } } }),
  );
  expect(answer.status).toBe(200);
  expect(await stack.database.sql('select state from public.refunds where payment_id = $1', second)).toEqual([
    { state },
  ]);
  await sweep();
  expect(stack.mail.mails.flatMap(({ to }) => to)).toEqual(told);
});

test('mail that could not be sent goes out with a later sweep, once', async () => {
  const { razorpayOrderId } = await openOrder();
  stack.mail.setRefusing(true);
  await sendEvent(stack, 'payment.captured', stack.razorpay.pay(razorpayOrderId).razorpay_payment_id);
  stack.mail.setRefusing(false);
  await stack.database.sql(
    `update public.outbox set next_attempt_at = now() - interval '1 second', locked_until = null where sent_at is null`,
  );
  expect(await sweep()).toMatchObject({ json: { mail: { sent: 2, failed: 0 } } });
  expect(await sweep()).toMatchObject({ json: { mail: { sent: 0, failed: 0 } } });
  expect(stack.mail.mails).toHaveLength(2);
});

test('a payment of another amount is sent back and does not keep the stock from the next shopper', async () => {
  const { number, razorpayOrderId, ring } = await openOrder(3);
  stack.razorpay.pay(razorpayOrderId, { amount: 100 });
  await expire(number);
  const answer = await sweep();
  expect(answer.json).toMatchObject({ orders: { checked: 1, paid: 0, released: 1 } });
  expect(await stack.orderRow(number)).toMatchObject({ status: 'FAILED', hold_state: 'released' });
  expect(await stack.stockOf(ring)).toBe(3);
  expect(stack.razorpay.refunds.filter((refund) => refund.amount === 100)).toHaveLength(1);
});

test('a missing mail address stops the mail only, missing keys stop the payments only', async () => {
  vi.stubEnv('SMTP_URL', '');
  expect(await sweep()).toMatchObject({ status: 200, json: { mail: null, refunds: { requested: 0 } } });
  vi.stubEnv('SMTP_URL', stack.mail.url);
  vi.stubEnv('RAZORPAY_KEY_SECRET', '');
  expect(await sweep()).toMatchObject({
    status: 200,
    json: { orders: null, refunds: null, mail: { failed: 0 } },
  });
});
