import { beforeEach, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId } from '#tests/database/support/shop-database.ts';
import {
  confirm,
  endCashOrders,
  openAdvance,
  receive,
  refuse,
  reserve,
  reserveWithAdvance,
  send,
} from './cash-orders.ts';

/* Each state that orders paid at the door come into, by the functions that bring them there. Paid online: order-states.test.ts. */
const database = await useDatabase();
await database.allowRefunds();

let customer = '';
let ring = '';
beforeEach(async () => {
  await endCashOrders(database);
  customer = await database.addCustomer();
  ring = await database.addProduct({ price: 1_000, stock: 5 });
});
const one = () => [{ product_id: ring, quantity: 1 }];

async function expectAnswers(id: number, state: string, kind: string, text: string): Promise<void> {
  const row = await database.one(
    `select o.state, o.kind, o.sold = a.is_sale as agrees, concat_ws(', ', a.takes_stock, a.money,
       case when a.cash_open then 'cash open' else 'no cash' end, case when a.is_purchase then 'bought' else 'not bought' end,
       a.income, a.claim, a.customer_may, a.ended_by) as answers
     from public.orders o left join private.order_answers a on a.state = o.state and a.kind = o.kind where o.id = $1`,
    id,
  );
  expect(row).toEqual({ state, kind, agrees: true, answers: text });
}

const waits = (money: string): string =>
  `waiting, ${money}, no cash, not bought, none, never, cancel, nobody`;
const due = (money: string): string =>
  `sold, ${money}, cash open, not bought, none, delivered, cancel, nobody`;

test('without an advance: to confirm, due, paid', async () => {
  const id = await reserve(database, customer, one());
  await expectAnswers(id, 'to_confirm', 'door', waits('none'));
  await confirm(database, id);
  await expectAnswers(id, 'due', 'door', due('none'));
  await send(database, id);
  await expectAnswers(id, 'due', 'door', due('none'));
  const total = await database.value<number>(
    'select total_paise::int from public.orders where id = $1',
    id,
  );
  await receive(database, id, total);
  await expectAnswers(
    id,
    ...(['paid', 'door', 'sold, all, no cash, bought, total, sent, cancel, nobody'] as const),
  );
});

test('with an advance: open, to confirm, due, and ended when nobody answers', async () => {
  const open = await openAdvance(database, customer, one());
  await expectAnswers(
    open.id,
    ...([
      'open',
      'door_advance',
      'waiting, none, no cash, not bought, none, never, pay, nobody',
    ] as const),
  );
  const { id } = await reserveWithAdvance(database, await database.addCustomer(), one());
  await expectAnswers(id, 'to_confirm', 'door_advance', waits('advance'));
  const other = await reserveWithAdvance(database, await database.addCustomer(), one());
  await confirm(database, id);
  await expectAnswers(id, 'due', 'door_advance', due('advance'));
  await database.query('update public.orders set hold_expires_at = now() where id = $1', other.id);
  await database.query('select public.end_unconfirmed_orders(10)');
  await expectAnswers(
    other.id,
    ...([
      'owed',
      'door_advance',
      'none, back, no cash, not bought, none, never, nothing, written',
    ] as const),
  );
});

test('a parcel that comes back, with its units and without', async () => {
  const kept = 'kept, no cash, not bought, kept, never, nothing';
  for (const [restock, state, text] of [
    [true, 'refused', `none, ${kept}, customer`],
    [false, 'written_off', `gone, ${kept}, written`],
  ] as const) {
    await database.run('delete from public.cash_refusals where true');
    const { id } = await reserveWithAdvance(database, await database.addCustomer(), one());
    await send(database, id);
    expect(await refuse(database, id, { restock })).toEqual({ outcome: 'refused' });
    await expectAnswers(id, state, 'door_advance', text);
  }
});

test('a confirmed order that is cancelled, with its units and without', async () => {
  for (const [restock, state, text] of [
    [true, 'cancelled', 'none, back, no cash, not bought, none, never, nothing, written'],
    [false, 'written_off', 'gone, kept, no cash, not bought, kept, never, nothing, written'],
  ] as const) {
    const id = await reserve(database, await database.addCustomer(), one());
    await confirm(database, id);
    expect(await database.cancel(id, { restock })).toEqual({ outcome: 'cancelled' });
    await expectAnswers(id, state, 'door', text);
  }
});

test('a payment that comes for an order whose units did not come back is told that the order was cancelled', async () => {
  const open = await openAdvance(database, customer, one());
  expect(await database.markPaid(open, newPaymentId(), { amount: open.online_paise })).toBe('paid');
  await confirm(database, open.id);
  await database.cancel(open.id, { restock: false });
  await expectAnswers(
    open.id,
    ...([
      'written_off',
      'door_advance',
      'gone, kept, no cash, not bought, kept, never, nothing, written',
    ] as const),
  );
  expect(await database.release(open.id)).toBe('already');
  expect((await database.orderRow(open.id))['hold_state']).toBe('taken');
  const second = newPaymentId();
  await database.markPaid(open, second, { amount: open.online_paise });
  expect(
    await database.value('select reason from public.payments where payment_id = $1', second),
  ).toBe('order_cancelled');
});

test('cash of a test order is neither due from a courier nor missing in its list', async () => {
  const cashDue = (): Promise<{ count: number }[]> => database.value('select private.cash_due()');
  const sent: number[] = [];
  for (const number of ['EM1', 'EM2', 'EM3']) {
    const details = { phone: `98470123${number.slice(2).padStart(2, '5')}` };
    const id = await reserve(database, await database.addCustomer(), one(), { details });
    await send(database, id, number);
    sent.push(id);
  }
  const [live, test, listed] = sent;
  expect(await cashDue()).toMatchObject([{ count: 3 }]);
  await database.query(
    `update public.orders set razorpay_key_id = 'rzp_test_x' where id = $1`,
    test,
  );
  expect(await cashDue()).toMatchObject([{ count: 2 }]);
  const { missing } = await database.value<{ missing: { order_id: number }[] }>(
    'select public.record_remittance($1::jsonb, false)',
    JSON.stringify([
      {
        row: 1,
        tracking_number: 'EM3',
        order_id: listed,
        amount_paise: 105_000,
        reference: 'UTR9',
      },
    ]),
  );
  expect(missing.map(({ order_id: id }) => id)).toEqual([live]);
});
