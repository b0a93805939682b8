import { expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId, type OpenOrder } from '#tests/database/support/shop-database.ts';

/* Each state that orders paid online come into, by the functions that bring them there. Cash orders: cash-states.database.test.ts. */
const database = await useDatabase();
await database.allowRefunds();

/** What the table answers for one order; `sold` is the column of before it, which older sites read. */
const answersOf = (id: number): Promise<Record<string, unknown>> =>
  database.one(
    `select o.state, o.kind, (o.sold and o.fulfilment <> 'cancelled') = a.is_sale as agrees,
       a.takes_stock as stock, a.money, a.is_purchase as bought, a.income, a.claim, a.customer_may as may, a.ended_by
     from public.orders o left join private.order_answers a on a.state = o.state and a.kind = o.kind where o.id = $1`,
    id,
  );

const expectAnswers = async (id: number, state: string, kind: string, text: string) => {
  const {
    stock,
    money,
    bought,
    income,
    claim,
    may,
    ended_by: endedBy,
    ...is
  } = await answersOf(id);
  expect(is).toEqual({ state, kind, agrees: true });
  expect([stock, money, bought ? 'bought' : 'not bought', income, claim, may, endedBy]).toEqual(
    text.split(', '),
  );
};

const ring = await database.addProduct({ price: 1_000, stock: 100 });
const one = [{ product_id: ring, quantity: 1 }];
const open = (): Promise<OpenOrder> => database.openOrder(ring);
const buy = () => database.buy(one);

/** Refunds all of an order, and lets Razorpay do it. */
async function refundWhole(order: { id: number; total_paise: number; payment: string }) {
  await database.requestRefund(order.id, order.total_paise);
  const [refund] = await database.refundsOf(order.payment);
  await database.finishRefund(refund?.id ?? 0, `rfnd_${order.payment}`);
}

test('an order that is open, left, ended', async () => {
  const customer = await database.addCustomer();
  const order = await database.placeOpen(customer, one);
  await expectAnswers(
    order.id,
    ...(['open', 'now', 'waiting, none, not bought, none, never, pay, nobody'] as const),
  );
  await database.placeOpen(customer, [{ product_id: ring, quantity: 2 }]);
  const over = 'none, none, not bought, none, never, give_up, written';
  await expectAnswers(order.id, 'left', 'now', over);
  await database.release(order.id);
  await expectAnswers(order.id, 'ended', 'now', over);
});

test('an order that is paid, refunded in part and whole, and cancelled', async () => {
  const order = await buy();
  const paid = 'sold, all, bought, total, sent, cancel, nobody';
  await expectAnswers(order.id, 'paid', 'now', paid);
  await database.requestRefund(order.id, 10_000);
  const [refund] = await database.refundsOf(order.payment);
  await database.finishRefund(refund?.id ?? 0, `rfnd_part_${order.payment}`);
  await expectAnswers(order.id, 'paid', 'now', paid);
  const other = await buy();
  await refundWhole(other);
  await expectAnswers(
    other.id,
    ...(['refunded', 'now', 'sold, none, not bought, total, never, nothing, nobody'] as const),
  );
  await database.cancel(order.id);
  await expectAnswers(
    order.id,
    ...([
      'cancelled_paid',
      'now',
      'gone, kept, not bought, kept, never, nothing, written',
    ] as const),
  );
});

test('a payment that its order could not use is owed, and returned', async () => {
  const last = await database.addProduct({ price: 1_000, stock: 1 });
  const order = await database.openOrder(last);
  await database.release(order.id);
  await database.openOrder(last);
  const payment = newPaymentId();
  expect(await database.markPaid(order, payment)).toBe('refund_due');
  await expectAnswers(
    order.id,
    ...(['owed', 'now', 'none, back, not bought, none, never, nothing, written'] as const),
  );
  const [refund] = await database.refundsOf(payment);
  await database.finishRefund(refund?.id ?? 0, 'rfnd_back');
  const returned = 'none, none, not bought, none, never, nothing, written';
  await expectAnswers(order.id, 'returned', 'now', returned);
});

test('an order that is cancelled before it is paid', async () => {
  const order = await open();
  await database.cancel(order.id);
  const cancelled = 'none, back, not bought, none, never, nothing, written';
  await expectAnswers(order.id, 'cancelled', 'now', cancelled);
});

test('an order of the admin, with a link and by hand, a test and an imported one', async () => {
  const link = await database.openLinkOrder(ring, 100_000);
  const waits = 'waiting, none, not bought, none, never, pay, nobody';
  await expectAnswers(link, 'open', 'link', waits);
  await database.query(
    `select private.complete_order(o, 'hand_' || o.id, 'cash', null) from public.orders o where o.id = $1`,
    link,
  );
  await expectAnswers(
    link,
    ...(['paid', 'hand', 'sold, all, bought, total, sent, nothing, nobody'] as const),
  );
  const order = await open();
  await database.query(
    `update public.orders set razorpay_key_id = 'rzp_test_x' where id = $1`,
    order.id,
  );
  expect(await database.markPaid(order, newPaymentId(), { keyId: 'rzp_test_x' })).toBe('paid');
  await expectAnswers(
    order.id,
    ...(['paid', 'test', 'sold, none, not bought, none, sent, cancel, nobody'] as const),
  );
  const imported = (columns: string, values: string): Promise<number> =>
    database.value(
      `insert into public.orders (merchant_transaction_id, ${columns}) values ('OLD-' || gen_random_uuid(), ${values}) returning id::int`,
    );
  await expectAnswers(
    await imported('status, payment_status', `'success', null`),
    ...(['paid', 'imported', 'none, all, bought, total, sent, nothing, nobody'] as const),
  );
  await expectAnswers(
    await imported('status, payment_status', `'whatever', null`),
    ...(['refunded', 'imported', 'none, none, not bought, total, never, nothing, nobody'] as const),
  );
});
