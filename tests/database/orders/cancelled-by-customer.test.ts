import { afterAll, beforeEach, expect, test } from 'vitest';
import { one } from '../support/database.ts';
import { createDatabase } from '../support/postgres.ts';
import {
  addProduct,
  addShopper,
  customer,
  markPaid,
  newPaymentId,
  orderRow,
  placeOpen,
  release,
  stockOf,
} from '../support/shop-rows.ts';
import { cancelOwn, refundsOf, setFulfilment } from './paid-order-rows.ts';

const database = await createDatabase();
afterAll(() => database.close());

let shopper = '';
let ring = '';
let order: Awaited<ReturnType<typeof placeOpen>>;
beforeEach(async () => {
  shopper = await addShopper(database);
  ring = await addProduct(database, { stock: 3 });
  order = await placeOpen(database, shopper, [{ product_id: ring, quantity: 2 }]);
});

const alerts = () =>
  database.query<{ topic: string }>(
    `select payload ->> 'topic' as topic from public.outbox where order_id = $1 and kind = 'admin_alert'`,
    order.id,
  );

test('an unpaid order that is given up returns its stock, once the provider was asked', async () => {
  expect(await cancelOwn(database, shopper, order.id, false, { asked: false })).toMatchObject({
    outcome: 'check_payment_first',
    razorpay_order_id: order.razorpay_order_id,
  });
  expect(await stockOf(database, ring)).toBe(1);
  expect(await cancelOwn(database, shopper, order.id, false)).toEqual({ outcome: 'cancelled' });
  expect(await stockOf(database, ring)).toBe(3);
  expect(await cancelOwn(database, shopper, order.id, false)).toEqual({ outcome: 'already' });
  expect(await stockOf(database, ring)).toBe(3);
  expect(await alerts()).toEqual([]);
});

test('a payment that arrives after its order was given up is refunded', async () => {
  await cancelOwn(database, shopper, order.id, false);
  const payment = newPaymentId();
  expect(await markPaid(database, order, payment)).toBe('refund_due');
  expect(await refundsOf(database, payment)).toMatchObject([
    { amount: order.total_paise, state: 'due' },
  ]);
});

test('giving up an order that was paid meanwhile changes nothing', async () => {
  const payment = newPaymentId();
  await markPaid(database, order, payment);
  expect(await cancelOwn(database, shopper, order.id, false)).toEqual({ outcome: 'paid' });
  expect(await orderRow(database, order.id)).toMatchObject({
    status: 'COMPLETED',
    fulfilment: 'new',
  });
  expect(await refundsOf(database, payment)).toEqual([]);
});

test('a paid order that is cancelled before packing is refunded in full, restocked, and the admin is told', async () => {
  const payment = newPaymentId();
  await markPaid(database, order, payment);
  expect(await cancelOwn(database, shopper, order.id, true)).toEqual({ outcome: 'cancelled' });
  expect(await refundsOf(database, payment)).toMatchObject([{ amount: order.total_paise }]);
  expect(await stockOf(database, ring)).toBe(3);
  expect(await alerts()).toEqual([{ topic: 'cancelled_by_customer' }]);
  expect(await cancelOwn(database, shopper, order.id, true)).toEqual({ outcome: 'already' });
  expect(await refundsOf(database, payment)).toHaveLength(1);
});

test('cancelling as paid does not cancel an unpaid order', async () => {
  expect(await cancelOwn(database, shopper, order.id, true)).toEqual({ outcome: 'not_paid' });
  await release(database, order.id);
  expect(await cancelOwn(database, shopper, order.id, true)).toEqual({ outcome: 'not_paid' });
});

test('an order that the shop has refunded is not given up: its stock and its stage are the shop’s', async () => {
  const payment = newPaymentId();
  await markPaid(database, order, payment);
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
    expect(await cancelOwn(database, shopper, order.id, paid)).toEqual({ outcome: 'refunded' });
  expect(await stockOf(database, ring)).toBe(1);
  expect(await orderRow(database, order.id)).toMatchObject({
    payment_status: 'REFUNDED',
    fulfilment: 'new',
  });
});

test('nobody cancels the order of another customer', async () => {
  const other = await addShopper(database);
  expect(await cancelOwn(database, other, order.id, false)).toEqual({ outcome: 'not_found' });
  expect(await cancelOwn(database, other, 999_999, false)).toEqual({ outcome: 'not_found' });
  expect(await stockOf(database, ring)).toBe(1);
});

test('an order that is packed, disputed, handed over or paid by hand is for the shop to cancel', async () => {
  const payment = newPaymentId();
  await markPaid(database, order, payment);
  const ask = () => cancelOwn(database, shopper, order.id, true);
  await database.query(
    `update public.payments set dispute = 'created' where payment_id = $1`,
    payment,
  );
  expect(await ask()).toEqual({ outcome: 'ask' });
  await database.query(`update public.payments set dispute = 'won' where payment_id = $1`, payment);
  await database.query('update public.orders set hand_over = true where id = $1', order.id);
  expect(await ask()).toEqual({ outcome: 'ask' });
  await database.query('update public.orders set hand_over = false where id = $1', order.id);
  await setFulfilment(database, order.id, 'packed');
  expect(await ask()).toEqual({ outcome: 'ask' });
  await setFulfilment(database, order.id, 'new');
  const { email } = await one<{ email: string }>(
    database,
    'select email from auth.users where id = $1',
    shopper,
  );
  const [byHand] = await database.query<{ id: number }>(
    `select (public.place_admin_order(gen_random_uuid(), $1::jsonb, $2::jsonb, 'exhibition', false, 100000, 0, 3600, 'cash', 'Bill 7', null)
       #>> '{order,id}')::int as id`,
    JSON.stringify([{ product_id: ring, quantity: 1 }]),
    JSON.stringify({ ...customer, email }),
  );
  expect(await cancelOwn(database, shopper, byHand?.id ?? 0, true)).toEqual({ outcome: 'ask' });
  expect(await ask()).toEqual({ outcome: 'cancelled' });
});
