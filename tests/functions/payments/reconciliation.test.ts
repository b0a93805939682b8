import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import sweepEndpoint from '../../../netlify/functions/payment-sweep.ts';
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
  stack.razorpay.reset();
  await stack.database.sql('delete from public.reconciliations');
  // Those of the test before were long ago.
  await stack.database.sql(`update public.payments set created_at = now() - interval '7 days'`);
});

const sweep = (): Promise<Answer> =>
  stack.call(sweepEndpoint, '/.netlify/functions/payment-sweep', { method: 'POST', body: '{}' });

interface Paid {
  number: unknown;
  razorpayOrderId: string;
  paymentId: string;
  total: number;
}

async function paidOrder(): Promise<Paid> {
  const ring = await stack.addProduct({ stock: 1 });
  const placed = await stack.createOrder(shopper, [{ product_id: ring, quantity: 1 }]);
  const razorpayOrderId = String(placed.json['order_id']);
  const { razorpay_payment_id: paymentId } = stack.razorpay.pay(razorpayOrderId);
  await sendEvent(stack, 'payment.captured', paymentId);
  stack.mail.mails.length = 0;
  const { number } = placed.json['order'] as { number: unknown };
  return {
    number,
    razorpayOrderId,
    paymentId,
    total: Number((await stack.orderRow(number))['total_paise']),
  };
}

const refundsOf = (paymentId: string): Promise<unknown[]> =>
  stack.database.sql(
    'select amount_paise::int as amount, state from public.refunds where payment_id = $1 order by id',
    paymentId,
  );

test('a second payment whose event was lost is found and refunded', async () => {
  const { razorpayOrderId, paymentId, total } = await paidOrder();
  const { razorpay_payment_id: second } = stack.razorpay.pay(razorpayOrderId);
  expect((await sweep()).json).toMatchObject({
    reconciled: { payments: 2, differences: 1, resolved: 1 },
    refunds: { requested: 1 },
  });
  expect(await refundsOf(second)).toEqual([{ amount: total, state: 'processed' }]);
  expect(await refundsOf(paymentId)).toEqual([]);
  // The next one is due tomorrow.
  expect((await sweep()).json).toMatchObject({ reconciled: null });
});

test('a payment whose order is paid by nobody else completes it, long after the last check', async () => {
  const ring = await stack.addProduct({ stock: 1 });
  const placed = await stack.createOrder(shopper, [{ product_id: ring, quantity: 1 }]);
  const { number } = placed.json['order'] as { number: unknown };
  await stack.database.sql('update public.orders set next_check_at = null where id = $1', number);
  stack.razorpay.pay(String(placed.json['order_id']));
  await sweep();
  expect(await stack.orderRow(number)).toMatchObject({ status: 'COMPLETED' });
});

test('a payment that nobody captured, and that went back to the shopper, completes no order', async () => {
  const ring = await stack.addProduct({ stock: 1 });
  const placed = await stack.createOrder(shopper, [{ product_id: ring, quantity: 1 }]);
  const { number } = placed.json['order'] as { number: unknown };
  await stack.database.sql('update public.orders set next_check_at = null where id = $1', number);
  stack.razorpay.pay(String(placed.json['order_id']), { status: 'refunded', captured: false });
  expect((await sweep()).json).toMatchObject({ reconciled: { payments: 0, differences: 0 } });
  expect(await stack.orderRow(number)).toMatchObject({ status: 'PENDING' });
  expect(stack.mail.mails).toEqual([]);
});

test('a refund made in the dashboard whose event was lost is recorded, and stops the shipping', async () => {
  const { number, paymentId, total } = await paidOrder();
  stack.razorpay.refundByHand(paymentId, total);
  expect((await sweep()).json).toMatchObject({ reconciled: { differences: 1, resolved: 1 } });
  expect(await stack.orderRow(number)).toMatchObject({ payment_status: 'REFUNDED' });
  expect((await stack.orderRow(number))['stage']).not.toBe('to_pack');
  expect(stack.mail.mails.map(({ raw }) => raw.includes('A refund was made at Razorpay'))).toEqual([
    true,
  ]);
});

test('payments of another site in the same account are left alone', async () => {
  await paidOrder();
  stack.razorpay.orders.push({
    id: 'order_Foreign0000000',
    amount: 500,
    currency: 'INR',
    receipt: 'INV-7',
    status: 'paid',
    notes: [],
  });
  const { razorpay_payment_id: foreign } = stack.razorpay.pay('order_Foreign0000000');
  expect((await sweep()).json).toMatchObject({ reconciled: { payments: 2, differences: 0 } });
  expect(
    await stack.database.sql('select 1 from public.payments where payment_id = $1', foreign),
  ).toEqual([]);
});

test('a recorded payment that Razorpay does not know is told to the admin, once', async () => {
  const { paymentId } = await paidOrder();
  await stack.database.sql(
    `update public.payments set created_at = now() - interval '1 hour' where payment_id = $1`,
    paymentId,
  );
  stack.razorpay.payments.length = 0;
  expect((await sweep()).json).toMatchObject({ reconciled: { differences: 1, resolved: 0 } });
  await stack.database.sql('delete from public.reconciliations');
  await sweep();
  expect(stack.mail.mails.map(({ raw }) => raw.includes(paymentId))).toEqual([true]);
});

test('Razorpay down: nothing is compared, and it is as soon as it answers again', async () => {
  await paidOrder();
  stack.razorpay.faults.push({ call: 'GET /v1/payments', fault: 'drop' });
  expect((await sweep()).json).toMatchObject({ reconciled: null });
  expect((await sweep()).json).toMatchObject({ reconciled: { payments: 1, differences: 0 } });
});

test('more payments than one page are all read', async () => {
  const { razorpayOrderId } = await paidOrder();
  for (let count = 0; count < 120; count += 1)
    stack.razorpay.pay(razorpayOrderId, { status: 'failed' });
  const { razorpay_payment_id: last } = stack.razorpay.pay(razorpayOrderId);
  expect((await sweep()).json).toMatchObject({ reconciled: { payments: 2, resolved: 1 } });
  expect(await refundsOf(last)).toHaveLength(1);
});

test('events of refunds that the shop did not make, and of disputes, are recorded by the webhook', async () => {
  const { number, paymentId, total } = await paidOrder();
  const refund = { ...stack.razorpay.refundByHand(paymentId, total, 'pending'), entity: 'refund' };
  const send = (event: string, payload: object): Promise<Answer> =>
    sendRaw(
      stack,
      JSON.stringify({ entity: 'event', event, contains: [], payload, created_at: 0 }),
    );
  expect(await send('refund.created', { refund: { entity: refund } })).toMatchObject({
    status: 200,
  });
  expect(await refundsOf(paymentId)).toEqual([{ amount: total, state: 'requested' }]);
  await send('refund.processed', { refund: { entity: { ...refund, status: 'processed' } } });
  expect(await stack.orderRow(number)).toMatchObject({ payment_status: 'REFUNDED' });
  const dispute = { id: 'disp_1', entity: 'dispute', payment_id: paymentId, amount: total };
  await send('payment.dispute.created', { dispute: { entity: dispute } });
  expect(
    stack.mail.mails.map(({ raw }) => /A refund was made|A dispute: created/u.exec(raw)?.[0]),
  ).toEqual(['A refund was made', 'A dispute: created']);
});

test('a refund that Razorpay works on is asked about until it is done', async () => {
  const { number, paymentId, total } = await paidOrder();
  const made = stack.razorpay.refundByHand(paymentId, total, 'pending');
  await sweep();
  await stack.database.sql(`update public.refunds set next_attempt_at = now()`);
  made.status = 'processed';
  expect((await sweep()).json).toMatchObject({ polled: { polled: 1 } });
  expect(await stack.orderRow(number)).toMatchObject({ payment_status: 'REFUNDED' });
});
