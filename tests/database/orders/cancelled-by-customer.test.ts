import { beforeEach, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import {
  customerDetails,
  newPaymentId,
  type OpenOrder,
} from '#tests/database/support/shop-database.ts';
import { shop } from '#settings/shop.ts';

const database = await useDatabase();

let customer = '';
let ring = '';
let order: OpenOrder;
beforeEach(async () => {
  await database.query('delete from public.costs where true');
  customer = await database.addCustomer();
  ring = await database.addProduct({ stock: 3 });
  order = await database.placeOpen(customer, [{ product_id: ring, quantity: 2 }]);
});

const alerts = () =>
  database.query<{ topic: string }>(
    `select payload ->> 'topic' as topic from public.outbox where order_id = $1 and kind = 'admin_alert'`,
    order.id,
  );

test('an unpaid order that is given up returns its stock, once the provider was queried', async () => {
  expect(await database.cancelOwn(customer, order.id, false, { asked: false })).toMatchObject({
    outcome: 'check_payment_first',
    razorpay_order_id: order.razorpay_order_id,
  });
  expect(await database.stockOf(ring)).toBe(1);
  expect(await database.cancelOwn(customer, order.id, false)).toEqual({ outcome: 'cancelled' });
  expect(await database.stockOf(ring)).toBe(3);
  expect(await database.cancelOwn(customer, order.id, false)).toEqual({ outcome: 'already' });
  expect(await database.stockOf(ring)).toBe(3);
  expect(await alerts()).toEqual([]);
});

test('a paid order that is cancelled before packing is refunded in full and restocked, and the admin is notified', async () => {
  const payment = newPaymentId();
  await database.markPaid(order, payment);
  expect(await database.cancelOwn(customer, order.id, true)).toEqual({ outcome: 'cancelled' });
  expect(await database.refundsOf(payment)).toMatchObject([{ amount: order.total_paise }]);
  expect(await database.stockOf(ring)).toBe(3);
  expect(await alerts()).toEqual([{ topic: 'cancelled_by_customer' }]);
  expect(await database.cancelOwn(customer, order.id, true)).toEqual({ outcome: 'already' });
  expect(await database.refundsOf(payment)).toHaveLength(1);
});

test('the mail about it names the customer, and no one when the shop cancels', async () => {
  const by = () =>
    database.column<string | null>(
      `select payload ->> 'by' from public.outbox where order_id = $1 and kind = 'order_cancelled'`,
      order.id,
    );
  await database.markPaid(order, newPaymentId());
  await database.cancelOwn(customer, order.id, true);
  expect(await by()).toEqual(['customer']);
  order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
  await database.markPaid(order, newPaymentId());
  await database.cancel(order.id);
  expect(await by()).toEqual([null]);
});

test('cancelling as paid does not cancel an unpaid order', async () => {
  expect(await database.cancelOwn(customer, order.id, true)).toEqual({ outcome: 'not_paid' });
  await database.release(order.id);
  expect(await database.cancelOwn(customer, order.id, true)).toEqual({ outcome: 'not_paid' });
});

test('an order that the shop has refunded is not given up: its stock and its stage are the shop’s', async () => {
  const payment = newPaymentId();
  await database.markPaid(order, payment);
  await database.requestRefund(order.id, order.total_paise);
  const [refund] = await database.refundsOf(payment);
  await database.finishRefund(refund?.id ?? 0, `rfnd_${payment}`);
  for (const paid of [false, true])
    expect(await database.cancelOwn(customer, order.id, paid)).toEqual({ outcome: 'refunded' });
  expect(await database.stockOf(ring)).toBe(1);
  expect(await database.orderRow(order.id)).toMatchObject({
    payment_status: 'REFUNDED',
    fulfilment: 'new',
  });
});

test('nobody cancels the order of another customer', async () => {
  const other = await database.addCustomer();
  expect(await database.cancelOwn(other, order.id, false)).toEqual({ outcome: 'not_found' });
  expect(await database.cancelOwn(other, 999_999, false)).toEqual({ outcome: 'not_found' });
  expect(await database.stockOf(ring)).toBe(1);
});

test('an order that is packed, disputed, handed over or paid by hand is for the shop to cancel', async () => {
  const payment = newPaymentId();
  await database.markPaid(order, payment);
  const ask = () => database.cancelOwn(customer, order.id, true);
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
  const email = await database.value<string>(
    'select email from auth.users where id = $1',
    customer,
  );
  const [byHand] = await database.query<{ id: number }>(
    `select (public.place_admin_order(gen_random_uuid(), $1::jsonb, $2::jsonb, 'exhibition', false, 100000, 0, 3600, 'cash', 'Bill 7', null)
       #>> '{order,id}')::int as id`,
    JSON.stringify([{ product_id: ring, quantity: 1 }]),
    JSON.stringify({ ...customerDetails, email }),
  );
  expect(await database.cancelOwn(customer, byHand?.id ?? 0, true)).toEqual({ outcome: 'ask' });
  expect(await ask()).toEqual({ outcome: 'cancelled' });
});

test('the third paid order that a customer cancels in 30 days is left to the admin, who is notified, even when accounts were deleted in between', async () => {
  const buyAndCancel = async (phone: string): Promise<string> => {
    const account = await database.addCustomer();
    const lines = [{ product_id: ring, quantity: 1 }];
    order = await database.placeOpen(account, lines, { details: { phone } });
    await database.markPaid(order);
    const { outcome } = await database.cancelOwn(account, order.id, true);
    await database.query('delete from auth.users where id = $1', account);
    return outcome;
  };
  const phone = '098470 54321';
  expect([await buyAndCancel(phone), await buyAndCancel(phone)]).toEqual([
    'cancelled',
    'cancelled',
  ]);
  expect(await buyAndCancel('9847012345')).toBe('cancelled');
  expect(await buyAndCancel(phone)).toBe('limit');
  expect(await database.orderRow(order.id)).toMatchObject({ fulfilment: 'new', paid: true });
  expect(await alerts()).toEqual([{ topic: 'cancel_requested' }]);
  expect(await database.cancel(order.id)).toEqual({ outcome: 'cancelled' });
  await database.run(`update public.costs set at = now() - interval '29 days'`);
  expect(await buyAndCancel(phone)).toBe('limit');
  await database.cancel(order.id);
  await database.run(`update public.costs set at = now() - interval '31 days'`);
  expect(await buyAndCancel(phone)).toBe('cancelled');
});

test('a free replacement is not cancelled by one press: the customer would have neither product nor money', async () => {
  await database.markPaid(order);
  await database.query(
    'update public.orders set replaces = $2 where id = $1',
    order.id,
    (await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }])).id,
  );
  expect(await database.cancelOwn(customer, order.id, true)).toEqual({ outcome: 'ask' });
  expect(await database.orderRow(order.id)).toMatchObject({ fulfilment: 'new' });
});

test('a shop that keeps the platform fee refunds the goods, issues the invoice that the credit note reduces, and never owes the rest', async () => {
  const payment = newPaymentId();
  await database.markPaid(order, payment);
  const { fee_paise: fee, updated_at } = await database.one(
    'select fee_paise::int, updated_at::text from public.orders where id = $1',
    order.id,
  );
  expect(fee).toBeGreaterThan(0);
  const keep = { keepFee: true, revision: String(updated_at) };
  expect(await database.cancelOwn(customer, order.id, true, { ...keep, document: null })).toEqual({
    outcome: 'needs_document',
  });
  expect(
    await database.cancelOwn(customer, order.id, true, { ...keep, revision: '2020-01-01' }),
  ).toEqual({ outcome: 'outdated' });
  expect(await database.orderRow(order.id)).toMatchObject({ fulfilment: 'new', kept_paise: 0 });

  expect(await database.cancelOwn(customer, order.id, true, keep)).toEqual({
    outcome: 'cancelled',
  });
  const goods = order.total_paise - Number(fee);
  expect(await database.refundsOf(payment)).toMatchObject([{ amount: goods, state: 'due' }]);
  const row = await database.orderRow(order.id);
  expect(row).toMatchObject({ fulfilment: 'cancelled', kept_paise: fee });
  expect(row['invoice_number']).toMatch(new RegExp(`^${shop.prefixes.invoice}/`, 'u'));
  const refund = await database.one<{ id: number; items: unknown }>(
    'select id::int, items from public.refunds where payment_id = $1',
    payment,
  );
  expect(refund.items).toEqual({ [ring]: 2 });
  await database.query('select public.finish_refund($1, $2)', refund.id, 'rfnd_00000000000001');
  // Nothing is left that should go back, and no failed or waiting refund is shown.
  const paymentRow = 'select p from public.payments p where payment_id = $1';
  expect(
    await database.value(`select private.is_rest_due(p) from (${paymentRow}) x`, payment),
  ).toBe(false);
  const again = `select public.refund_payment($1, gen_random_uuid()) ->> 'outcome'`;
  expect(await database.value(again, payment)).toBe('nothing');
  const mail = `select payload from public.outbox where dedupe_key = 'order_cancelled:' || $1`;
  expect(await database.value(mail, order.id)).toMatchObject({
    payment_id: payment,
    amount_paise: goods,
    by_hand_paise: 0,
    kept_paise: fee,
  });
  // The figures of the day count the fee.
  expect(
    await database.value<number>(
      `select sum(paise)::int from private.sales(now() - interval '1 day', now() + interval '1 day')
         where orders = 0 and paise = $1`,
      fee,
    ),
  ).toBe(fee);
});
