import { beforeEach, expect, test } from 'vitest';
import { useDatabase } from '../support/postgres.ts';
import { customer, newPaymentId, type OpenOrder } from '../support/shop-database.ts';

const database = await useDatabase();

let shopper = '';
let ring = '';
let order: OpenOrder;
beforeEach(async () => {
  shopper = await database.addShopper();
  ring = await database.addProduct({ stock: 3 });
  order = await database.placeOpen(shopper, [{ product_id: ring, quantity: 2 }]);
});

const alerts = () =>
  database.query<{ topic: string }>(
    `select payload ->> 'topic' as topic from public.outbox where order_id = $1 and kind = 'admin_alert'`,
    order.id,
  );

test('an unpaid order that is given up returns its stock, once the provider was asked', async () => {
  expect(await database.cancelOwn(shopper, order.id, false, { asked: false })).toMatchObject({
    outcome: 'check_payment_first',
    razorpay_order_id: order.razorpay_order_id,
  });
  expect(await database.stockOf(ring)).toBe(1);
  expect(await database.cancelOwn(shopper, order.id, false)).toEqual({ outcome: 'cancelled' });
  expect(await database.stockOf(ring)).toBe(3);
  expect(await database.cancelOwn(shopper, order.id, false)).toEqual({ outcome: 'already' });
  expect(await database.stockOf(ring)).toBe(3);
  expect(await alerts()).toEqual([]);
});

test('a payment that arrives after its order was given up is refunded', async () => {
  await database.cancelOwn(shopper, order.id, false);
  const payment = newPaymentId();
  expect(await database.markPaid(order, payment)).toBe('refund_due');
  expect(await database.refundsOf(payment)).toMatchObject([
    { amount: order.total_paise, state: 'due' },
  ]);
});

test('giving up an order that was paid in the meantime changes nothing', async () => {
  const payment = newPaymentId();
  await database.markPaid(order, payment);
  expect(await database.cancelOwn(shopper, order.id, false)).toEqual({ outcome: 'paid' });
  expect(await database.orderRow(order.id)).toMatchObject({
    status: 'COMPLETED',
    fulfilment: 'new',
  });
  expect(await database.refundsOf(payment)).toEqual([]);
});

test('a paid order that is cancelled before packing is refunded in full and restocked, and the admin is notified', async () => {
  const payment = newPaymentId();
  await database.markPaid(order, payment);
  expect(await database.cancelOwn(shopper, order.id, true)).toEqual({ outcome: 'cancelled' });
  expect(await database.refundsOf(payment)).toMatchObject([{ amount: order.total_paise }]);
  expect(await database.stockOf(ring)).toBe(3);
  expect(await alerts()).toEqual([{ topic: 'cancelled_by_customer' }]);
  expect(await database.cancelOwn(shopper, order.id, true)).toEqual({ outcome: 'already' });
  expect(await database.refundsOf(payment)).toHaveLength(1);
});

test('cancelling as paid does not cancel an unpaid order', async () => {
  expect(await database.cancelOwn(shopper, order.id, true)).toEqual({ outcome: 'not_paid' });
  await database.release(order.id);
  expect(await database.cancelOwn(shopper, order.id, true)).toEqual({ outcome: 'not_paid' });
});

test('an order that the shop has refunded is not given up: its stock and its stage are the shop’s', async () => {
  const payment = newPaymentId();
  await database.markPaid(order, payment);
  await database.query(
    `select public.request_refund($1, gen_random_uuid(), $2, 'damaged')`,
    order.id,
    order.total_paise,
  );
  await database.query(
    `select public.finish_refund(id, 'rfnd_' || payment_id) from public.refunds where payment_id = $1`,
    payment,
  );
  for (const paid of [false, true])
    expect(await database.cancelOwn(shopper, order.id, paid)).toEqual({ outcome: 'refunded' });
  expect(await database.stockOf(ring)).toBe(1);
  expect(await database.orderRow(order.id)).toMatchObject({
    payment_status: 'REFUNDED',
    fulfilment: 'new',
  });
});

test('nobody cancels the order of another customer', async () => {
  const other = await database.addShopper();
  expect(await database.cancelOwn(other, order.id, false)).toEqual({ outcome: 'not_found' });
  expect(await database.cancelOwn(other, 999_999, false)).toEqual({ outcome: 'not_found' });
  expect(await database.stockOf(ring)).toBe(1);
});

test('an order that is packed, disputed, handed over or paid by hand is for the shop to cancel', async () => {
  const payment = newPaymentId();
  await database.markPaid(order, payment);
  const ask = () => database.cancelOwn(shopper, order.id, true);
  await database.query(
    `update public.payments set dispute = 'created' where payment_id = $1`,
    payment,
  );
  expect(await ask()).toEqual({ outcome: 'ask' });
  await database.query(`update public.payments set dispute = 'won' where payment_id = $1`, payment);
  await database.query('update public.orders set hand_over = true where id = $1', order.id);
  expect(await ask()).toEqual({ outcome: 'ask' });
  await database.query('update public.orders set hand_over = false where id = $1', order.id);
  await database.setFulfilment(order.id, 'packed');
  expect(await ask()).toEqual({ outcome: 'ask' });
  await database.setFulfilment(order.id, 'new');
  const email = await database.value<string>('select email from auth.users where id = $1', shopper);
  const [byHand] = await database.query<{ id: number }>(
    `select (public.place_admin_order(gen_random_uuid(), $1::jsonb, $2::jsonb, 'exhibition', false, 100000, 0, 3600, 'cash', 'Bill 7', null)
       #>> '{order,id}')::int as id`,
    JSON.stringify([{ product_id: ring, quantity: 1 }]),
    JSON.stringify({ ...customer, email }),
  );
  expect(await database.cancelOwn(shopper, byHand?.id ?? 0, true)).toEqual({ outcome: 'ask' });
  expect(await ask()).toEqual({ outcome: 'cancelled' });
});
