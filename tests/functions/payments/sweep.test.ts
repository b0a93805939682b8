import { beforeEach, expect, test, vi } from 'vitest';
import verifyEndpoint from '#netlify/functions/payment-verify.ts';
import { sendOutbox } from '#core/mail/outbox.ts';
import { useStack, type Customer } from '#tests/functions/support/stack.ts';
import { dueOrders } from './due-orders.ts';
import { sendEvent, sendRaw } from './webhook-events.ts';

const stack = await useStack();
// One customer causes many refunds here.
await stack.sql(`update public.cost_limits set most = 1000000 where effect = 'fee_lost'`);
let customer: Customer;

beforeEach(async () => {
  customer = await stack.signUp();
  stack.mail.mails.length = 0;
  stack.razorpay.faults.length = 0;
  stack.razorpay.calls.length = 0;
});

const { sweep, openOrder, expire } = dueOrders(() => ({ stack, customer }));

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

test('an expired hold without a payment is returned to stock once', async () => {
  const { number, razorpayOrderId, ring } = await openOrder();
  stack.razorpay.pay(razorpayOrderId, { status: 'failed' });
  await expire(number);
  expect(await sweep()).toMatchObject({ json: { orders: { checked: 1, released: 1 } } });
  await expire(number);
  expect(await sweep()).toMatchObject({ json: { orders: { checked: 1, released: 0, unpaid: 1 } } });
  expect(await stack.stockOf(ring)).toBe(3);
  expect(await stack.orderRow(number)).toMatchObject({ status: 'FAILED', hold_state: 'released' });
});

test.each(['drop', 'error', 'html', 'garbage', 'conflict', 'keys', 'wrong keys'] as const)(
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
    await stack.sql('update public.orders set next_check_at = null where id = $1', number);
  },
);

test('an authorised payment of an order that holds its stock is captured', async () => {
  const { number, razorpayOrderId } = await openOrder();
  stack.razorpay.pay(razorpayOrderId, { status: 'authorized' });
  await expire(number);
  expect(await sweep()).toMatchObject({ json: { orders: { paid: 1 } } });
  expect(await stack.orderRow(number)).toMatchObject({ status: 'COMPLETED' });
});

test('an authorised payment of an order that no longer holds its stock is not captured, so it costs no fee', async () => {
  const { number, razorpayOrderId } = await openOrder();
  await stack.sql(`select public.release_order($1, 'expired')`, number);
  stack.razorpay.pay(razorpayOrderId, { status: 'authorized' });
  await stack.sql('update public.orders set next_check_at = now() where id = $1', number);
  stack.razorpay.calls.length = 0;
  await sweep();
  expect(stack.razorpay.calls.some((call) => call.startsWith('GET /v1/orders'))).toBe(true);
  expect(stack.razorpay.calls.filter((call) => call.includes('capture'))).toEqual([]);
  const payment = stack.razorpay.payments.find((one) => one.order_id === razorpayOrderId);
  expect(payment).toMatchObject({ status: 'authorized' });
  expect(await stack.orderRow(number)).toMatchObject({ status: 'FAILED', payment_id: null });
});

test('a payment in progress at the bank keeps its hold until it is captured', async () => {
  const { number, razorpayOrderId } = await openOrder();
  stack.razorpay.pay(razorpayOrderId, { status: 'authorized' });
  stack.razorpay.faults.push({ call: 'POST /v1/payments', fault: 'error' });
  await expire(number);
  expect(await sweep()).toMatchObject({ json: { orders: { left: 1 } } });
  expect(await stack.orderRow(number)).toMatchObject({ hold_state: 'held' });
  Object.assign(stack.razorpay.payments[0] ?? {}, { status: 'captured', captured: true });
  await expire(number);
  expect(await sweep()).toMatchObject({ json: { orders: { paid: 1 } } });
});

test('paid after expiry with the stock gone: one refund, both sides notified, however often it is triggered', async () => {
  const { number, razorpayOrderId, ring } = await openOrder();
  await expire(number);
  await sweep();
  await buyRest(ring);
  const claim = stack.razorpay.pay(razorpayOrderId);
  const refunds = stack.razorpay.refunds.length;
  await Promise.all(
    Array.from({ length: 10 }, () =>
      sendEvent(stack, 'payment.captured', claim.razorpay_payment_id),
    ),
  );
  const verified = await stack.post(verifyEndpoint, '/api/payment/verify', claim, {
    token: customer.token,
  });
  expect(verified).toMatchObject({ status: 409, json: { error: 'refund_due', success: false } });
  stack.razorpay.faults.push({ call: 'POST /v1/payments', fault: 'lose' });
  expect(await sweep()).toMatchObject({ json: { refunds: { requested: 0, failed: 1 } } });
  await stack.sql(`update public.refunds set next_attempt_at = now() - interval '1 second'`);
  expect(await sweep()).toMatchObject({ json: { refunds: { requested: 1, failed: 0 } } });
  await sweep();
  expect(stack.razorpay.refunds.slice(0, stack.razorpay.refunds.length - refunds)).toMatchObject([
    { payment_id: claim.razorpay_payment_id, amount: 307_080 },
  ]);
  expect(await stack.orderRow(number)).toMatchObject({ payment_status: 'REFUNDED' });
  expect(stack.mail.mails.map(({ to }) => to[0]).sort()).toEqual([
    'anjali@example.com',
    'owner@kasavu.example',
  ]);
});

test('a payment is late by when it was made, whenever the sweep learns of it, and only then meets today’s price', async () => {
  const results: unknown[] = [];
  for (const [endedMinutesAgo, lostFees] of [
    [8, 1_000_000],
    [20, 1_000_000],
    [20, 0],
  ] as const) {
    const { number, razorpayOrderId, ring } = await openOrder(1);
    // Ten minutes ago.
    const { razorpay_payment_id: payment } = stack.razorpay.pay(razorpayOrderId);
    await expire(number);
    await stack.sql(
      'update public.orders set hold_expires_at = now() - make_interval(mins => $2) where id = $1',
      ...[number, endedMinutesAgo],
    );
    await stack.sql('update public.products set price = price + 1 where id = $1', ring);
    await stack.sql(`update public.cost_limits set most = $1 where effect = 'fee_lost'`, lostFees);
    expect(await sweep()).toMatchObject({ json: { orders: { checked: 1, paid: 1 } } });
    const refunds = await stack.sql(
      'select reason from public.refunds where payment_id = $1',
      payment,
    );
    results.push([(await stack.orderRow(number))['status'], refunds]);
  }
  await stack.sql(`update public.cost_limits set most = 1000000 where effect = 'fee_lost'`);
  expect(results).toEqual([
    ['COMPLETED', []],
    ['FAILED', [{ reason: 'price_changed' }]],
    ['FAILED', []],
  ]);
});

test('a cart that was paid in a second order is not sold again by the first: the customer reads so, and the admin decides', async () => {
  const { number, razorpayOrderId, ring } = await stack.openOrder({ customer });
  await expire(number);
  await sweep();
  const again = await stack.createOrder(customer, [{ product_id: ring, quantity: 1 }]);
  const second = stack.razorpay.pay(String(again.json['order_id']));
  await sendEvent(stack, 'payment.captured', second.razorpay_payment_id);
  const first = stack.razorpay.pay(razorpayOrderId);
  expect(await sendEvent(stack, 'payment.captured', first.razorpay_payment_id)).toMatchObject({
    status: 200,
  });
  expect(
    await stack.post(verifyEndpoint, '/api/payment/verify', first, { token: customer.token }),
  ).toMatchObject({ status: 409, json: { error: 'duplicate_purchase' } });
  await sweep();
  expect(stack.razorpay.refunds).not.toContainEqual(
    expect.objectContaining({ payment_id: first.razorpay_payment_id }),
  );
  expect(await stack.stockOf(ring)).toBe(4);
});

test('a refund under way that the provider reports as failed is failed, and the admin is notified', async () => {
  const { razorpayOrderId } = await openOrder();
  const pay = async (): Promise<string> => {
    const { razorpay_payment_id: id } = stack.razorpay.pay(razorpayOrderId);
    await sendEvent(stack, 'payment.captured', id);
    return id;
  };
  await pay();
  const second = await pay();
  const known = `rfnd_${second.slice(-14)}`;
  await stack.sql(
    `update public.refunds set state = 'requested', razorpay_refund_id = $1 where payment_id = $2`,
    known,
    second,
  );
  stack.mail.mails.length = 0;
  const entity = { id: known, payment_id: second, amount: 306_900, status: 'failed' };
  await sendRaw(stack, JSON.stringify({ event: 'refund.failed', payload: { refund: { entity } } }));
  expect(
    await stack.column('select state from public.refunds where payment_id = $1', second),
  ).toEqual(['failed']);
  await sweep();
  expect(stack.mail.mails.flatMap(({ to }) => to)).toEqual(['owner@kasavu.example']);
});

test('mail that could not be sent goes out with a later sweep, once', async () => {
  const { razorpayOrderId } = await openOrder();
  stack.mail.setRefusing(true);
  await sendEvent(
    stack,
    'payment.captured',
    stack.razorpay.pay(razorpayOrderId).razorpay_payment_id,
  );
  stack.mail.setRefusing(false);
  const waiting = await stack.sql('select last_error from public.outbox where sent_at is null');
  expect(waiting).toHaveLength(2);
  expect(JSON.stringify(waiting)).not.toContain('@');
  await stack.sql(
    `update public.outbox set next_attempt_at = now() - interval '1 second', locked_until = null where sent_at is null`,
  );
  expect(await sweep()).toMatchObject({ json: { mail: { sent: 2, failed: 0 } } });
  expect(await sweep()).toMatchObject({ json: { mail: { sent: 0, failed: 0 } } });
  expect(stack.mail.mails).toHaveLength(2);
});

test('while a slow mail server takes a mail, no other function sends it once more', async () => {
  await stack.sql(`update public.outbox set sent_at = now() where sent_at is null`);
  await stack.sql(
    `select public.save_contact_message('Asha', 'asha@example.com', '', 'Do you make toe rings?')`,
  );
  const held = stack.mail.hold();
  const slow = sendOutbox();
  await held.received;
  // A minute later: Netlify ends every function by then.
  await stack.sql(
    `update public.outbox set locked_until = locked_until - interval '61 seconds' where locked_until is not null`,
  );
  expect(await sendOutbox()).toEqual({ sent: 0, failed: 0 });
  held.release();
  expect(await slow).toEqual({ sent: 1, failed: 0 });
  expect(stack.mail.mails).toHaveLength(1);
});

test('a payment of another amount is sent back and does not keep the stock from the next customer', async () => {
  const { number, razorpayOrderId, ring } = await openOrder(3);
  stack.razorpay.pay(razorpayOrderId, { amount: 100 });
  await expire(number);
  const answer = await sweep();
  expect(answer.json).toMatchObject({ orders: { checked: 1, paid: 0, released: 1 } });
  expect(await stack.orderRow(number)).toMatchObject({ status: 'FAILED', hold_state: 'released' });
  expect(await stack.stockOf(ring)).toBe(3);
  expect(stack.razorpay.refunds.filter((refund) => refund.amount === 100)).toHaveLength(1);
});

test('a payment of a test key in an order of live keys does not keep its stock', async () => {
  const { number, razorpayOrderId, ring } = await openOrder(3);
  stack.razorpay.pay(razorpayOrderId);
  await stack.sql(`update public.orders set razorpay_key_id = 'rzp_live_1' where id = $1`, number);
  await expire(number);
  expect(await sweep()).toMatchObject({ json: { orders: { checked: 1, paid: 0, released: 1 } } });
  expect(await stack.stockOf(ring)).toBe(3);
});

test('a missing mail address stops the mail only, missing keys stop the payments only', async () => {
  vi.stubEnv('SMTP_URL', '');
  expect(await sweep()).toMatchObject({
    status: 200,
    json: { mail: null, refunds: { requested: 0 } },
  });
  vi.stubEnv('SMTP_URL', stack.mail.url);
  const { number } = await openOrder();
  await expire(number);
  vi.stubEnv('RAZORPAY_KEY_SECRET', '');
  expect(await sweep()).toMatchObject({
    status: 200,
    json: { orders: null, refunds: null, mail: { failed: 0 } },
  });
});
