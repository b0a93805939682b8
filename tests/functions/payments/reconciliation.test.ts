import type { Context } from '@netlify/functions';
import { beforeEach, expect, test, vi } from 'vitest';
import { getPaymentProvider } from '#core/payments/payment-provider.ts';
import { reconcileWhenDue } from '#core/scheduled/reconcile.ts';
import { useStack, type Answer, type Customer } from '#tests/functions/support/stack.ts';
import { sendEvent, sendRaw } from './webhook-events.ts';

const stack = await useStack();
// One customer causes many refunds here.
await stack.sql(`update public.cost_limits set most = 1000000 where effect = 'fee_lost'`);
let customer: Customer;

beforeEach(async () => {
  customer = await stack.signUp();
  stack.mail.mails.length = 0;
  stack.razorpay.reset();
  await stack.sql('delete from public.reconciliations');
  // Those of the test before were long ago.
  await stack.sql(`update public.payments set created_at = now() - interval '7 days'`);
});

const { sweep } = stack;

interface Paid {
  number: unknown;
  razorpayOrderId: string;
  paymentId: string;
  total: number;
}

async function paidOrder(): Promise<Paid> {
  const { number, razorpayOrderId } = await stack.openOrder({ customer, stock: 1 });
  const { razorpay_payment_id: paymentId } = stack.razorpay.pay(razorpayOrderId);
  await sendEvent(stack, 'payment.captured', paymentId);
  stack.mail.mails.length = 0;
  return {
    number,
    razorpayOrderId,
    paymentId,
    total: Number((await stack.orderRow(number))['total_paise']),
  };
}

const paymentState = async (paymentId: string): Promise<unknown> =>
  (await stack.sql('select state from public.payments where payment_id = $1', paymentId))[0]?.[
    'state'
  ];

const refundsOf = (paymentId: string): Promise<unknown[]> =>
  stack.sql(
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
  expect((await sweep()).json['reconciled'] ?? null).toBeNull();
});

test('a payment whose order is paid by nobody else completes it, long after the last check', async () => {
  const { number, razorpayOrderId } = await stack.openOrder({ customer, stock: 1 });
  await stack.sql('update public.orders set next_check_at = null where id = $1', number);
  stack.razorpay.pay(razorpayOrderId);
  await sweep();
  expect(await stack.orderRow(number)).toMatchObject({ status: 'COMPLETED' });
});

test('a payment that nobody captured, and that went back to the customer, completes no order', async () => {
  const { number, razorpayOrderId } = await stack.openOrder({ customer, stock: 1 });
  await stack.sql('update public.orders set next_check_at = null where id = $1', number);
  stack.razorpay.pay(razorpayOrderId, { status: 'refunded', captured: false });
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
  stack.razorpay.addOrder({
    id: 'order_Foreign0000000',
    amount: 500,
    currency: 'INR',
    receipt: 'INV-7',
    status: 'paid',
    notes: [],
  });
  const { razorpay_payment_id: foreign } = stack.razorpay.pay('order_Foreign0000000');
  stack.razorpay.refundByHand(foreign, 500);
  stack.razorpay.dispute(foreign);
  expect((await sweep()).json).toMatchObject({ reconciled: { payments: 2, differences: 0 } });
  expect(await paymentState(foreign)).toBe('foreign');
  expect(await refundsOf(foreign)).toEqual([]);
  expect(stack.mail.mails).toEqual([]);
  // The next comparison does not fetch its order again.
  await stack.sql('delete from public.reconciliations');
  stack.razorpay.calls.length = 0;
  expect((await sweep()).json).toMatchObject({ reconciled: { payments: 2, differences: 0 } });
  expect(stack.razorpay.calls).not.toContain('GET /v1/orders/order_Foreign0000000');
});

test('a webhook about a payment of another site leaves nothing to refund, and one of this shop waits for the admin', async () => {
  stack.razorpay.addOrder({
    id: 'order_Foreign0000001',
    amount: 500,
    currency: 'INR',
    receipt: 'INV-8',
    status: 'paid',
    notes: [],
  });
  const { razorpay_payment_id: foreign } = stack.razorpay.pay('order_Foreign0000001');
  const { razorpayOrderId } = await paidOrder();
  const { razorpay_payment_id: own } = stack.razorpay.pay(razorpayOrderId);
  // A restored backup leaves this: Razorpay has the order with a receipt of the shop, and the shop does not have it.
  await stack.sql('update public.orders set razorpay_order_id = null');
  const problems = (): Promise<unknown[]> =>
    stack.sql('select kind, payment_id, refundable from private.payment_problems()');
  stack.razorpay.faults.push({ call: 'GET /v1/orders', fault: 'drop' });
  await sendEvent(stack, 'payment.captured', foreign);
  expect([await paymentState(foreign), await problems()]).toEqual(['unmatched', []]);
  const refundForeign = `select public.refund_payment($1, gen_random_uuid()) ->> 'outcome' as outcome`;
  expect(await stack.sql(refundForeign, foreign)).toEqual([{ outcome: 'nothing' }]);
  await sendEvent(stack, 'payment.captured', own);
  expect(await problems()).toEqual([{ kind: 'unmatched', payment_id: own, refundable: true }]);
  // Razorpay did not answer at the time of the event; the sweep queries it.
  expect((await sweep()).json).toMatchObject({ origins: { settled: 1 } });
  expect(await paymentState(foreign)).toBe('foreign');
  expect(await stack.sql(refundForeign, foreign)).toEqual([{ outcome: 'nothing' }]);
  expect(await problems()).toEqual([{ kind: 'unmatched', payment_id: own, refundable: true }]);
});

const days = (count: number): number => count * 24 * 3600;

test('a refund made long after its payment, whose event was lost, is recorded by its own date', async () => {
  const { number, paymentId, total } = await paidOrder();
  for (const payment of stack.razorpay.payments) payment.created_at -= days(8);
  await stack.sql(`update public.payments set created_at = now() - interval '8 days'`);
  stack.razorpay.refundByHand(paymentId, total);
  expect((await sweep()).json).toMatchObject({
    reconciled: { payments: 0, differences: 1, resolved: 1, isFinished: true },
  });
  expect(await stack.orderRow(number)).toMatchObject({ payment_status: 'REFUNDED' });
  expect((await stack.orderRow(number))['stage']).not.toBe('to_pack');
});

test('a dispute whose event was lost is recorded with what became of it, and a late event does not open it again', async () => {
  const { paymentId, total } = await paidOrder();
  const dispute = stack.razorpay.dispute(paymentId);
  const problems = (): Promise<unknown[]> =>
    stack.sql(`select kind, payment_id from private.payment_problems() where kind = 'dispute'`);
  const next = async (): Promise<void> => {
    await stack.sql('delete from public.reconciliations');
    await sweep();
  };
  await next();
  expect(await problems()).toEqual([{ kind: 'dispute', payment_id: paymentId }]);
  dispute.status = 'won';
  await next();
  expect(await problems()).toEqual([]);
  const entity = { ...dispute, amount: total, status: 'open' };
  await sendRaw(
    stack,
    JSON.stringify({ event: 'payment.dispute.created', payload: { dispute: { entity } } }),
  );
  expect(await problems()).toEqual([]);
  expect(
    stack.mail.mails.map(({ raw }) => /A dispute(?:, answer by| is won)/u.exec(raw)?.[0]),
  ).toEqual(['A dispute, answer by', 'A dispute is won']);
});

test('Razorpay down: nothing is compared, and it is as soon as it answers again', async () => {
  await paidOrder();
  stack.razorpay.faults.push({ call: 'GET /v1/payments', fault: 'drop' });
  expect((await sweep()).json).toMatchObject({ reconciled: null });
  expect((await sweep()).json).toMatchObject({ reconciled: { payments: 1, differences: 0 } });
});

test('more payments than one run has time for are compared over several runs, and a page that was not finished is read again', async () => {
  const { razorpayOrderId } = await paidOrder();
  for (let count = 0; count < 498; count += 1)
    stack.razorpay.pay(razorpayOrderId, { status: 'failed' });
  // The payment is on the first of five pages; its event was lost.
  const { razorpay_payment_id: last } = stack.razorpay.pay(razorpayOrderId);
  const provider = getPaymentProvider({ context: {} as Context });
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now');
  let pages = 0;
  // The time of a run is over as it reads the first page, before it has refunded, and of the next in the middle of the list.
  const slow: typeof provider = {
    ...provider,
    async listPayments(run) {
      pages += 1;
      if (pages === 1 || pages === 4) clock.mockReturnValue(now + 2);
      return provider.listPayments(run);
    },
  };
  const runs: unknown[] = [];
  for (let isFinished = false; !isFinished;) {
    clock.mockReturnValue(now);
    const run = await reconcileWhenDue(slow, now + 1);
    runs.push(run?.payments);
    isFinished = run?.isFinished ?? false;
  }
  expect([pages, runs]).toEqual([7, [0, 1, 1]]);
  expect(await refundsOf(last)).toHaveLength(1);
});

test('what a page that is read again cannot resolve is listed once', async () => {
  const [first, second, third] = [await paidOrder(), await paidOrder(), await paidOrder()];
  // First and last of the page, in either order.
  for (const { paymentId } of [first, third])
    await stack.sql(
      'update public.payments set amount_paise = amount_paise + 1 where payment_id = $1',
      paymentId,
    );
  stack.razorpay.refundByHand(second.paymentId, second.total);
  const provider = getPaymentProvider({ context: {} as Context });
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
  // The time of the first run is over behind the difference that it can resolve.
  const slow: typeof provider = {
    ...provider,
    async fetchRefunds(paymentId) {
      clock.mockReturnValue(now + 2);
      return provider.fetchRefunds(paymentId);
    },
  };
  const firstRun = await reconcileWhenDue(slow, now + 1);
  expect(firstRun).toMatchObject({ differences: 1, resolved: 1, isFinished: false });
  clock.mockReturnValue(now);
  const secondRun = await reconcileWhenDue(slow, now + 1);
  expect(secondRun).toMatchObject({ differences: 2, resolved: 0, isFinished: true });
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
  expect(stack.mail.mails.map(({ raw }) => /A refund was made|A dispute/u.exec(raw)?.[0])).toEqual([
    'A refund was made',
    'A dispute',
  ]);
});

test('a refund in progress at Razorpay is polled until it is done', async () => {
  const { number, paymentId, total } = await paidOrder();
  const made = stack.razorpay.refundByHand(paymentId, total, 'pending');
  await sweep();
  await stack.sql(`update public.refunds set next_attempt_at = now()`);
  made.status = 'processed';
  expect((await sweep()).json).toMatchObject({ polled: { polled: 1 } });
  expect(await stack.orderRow(number)).toMatchObject({ payment_status: 'REFUNDED' });
});
