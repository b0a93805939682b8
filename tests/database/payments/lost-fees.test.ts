import { beforeEach, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { SqlWords } from '#tests/database/support/sql-words.ts';
import type { OpenOrder } from '#tests/database/support/shop-database.ts';

/*
 * Razorpay keeps its fee of a payment that is refunded. A refund of a payment that its order cannot use is the customer's act, unless
 * the shop ended the order.
 */
const database = await useDatabase();
await database.allowRefunds();

let customer = '';
let ring = '';
const newHistory = async (): Promise<void> => {
  customer = await database.addCustomer();
  ring = await database.addProduct({ stock: 6, price: 1_000 });
};
beforeEach(async () => {
  await database.run(
    'truncate public.costs, public.outbox, public.refunds, public.payments, public.orders, public.discount_codes cascade',
  );
  await database.run(
    `insert into public.discount_codes (code, percent, first_day, last_day, max_per_shopper)
     values ('HALF', 50, current_date - 90, current_date + 90, 1)`,
  );
  await newHistory();
});

const open = (quantity = 1): Promise<OpenOrder> =>
  database.placeOpen(customer, [{ product_id: ring, quantity }]);
const openAtHalf = (quantity: number): Promise<OpenOrder> =>
  database.placeOpen(customer, [{ product_id: ring, quantity }], {
    code: 'HALF',
    expected: 51_180 * quantity,
  });
const pay = (order: OpenOrder): Promise<string> => database.markPaid(order);
/** Time passes, and the sweep ends an unpaid order. */
const end = async ({ id }: OpenOrder): Promise<void> => {
  await database.query(
    `update public.orders set created_at = created_at - d, hold_expires_at = hold_expires_at - d
     from (select interval '200 days' as d) t where id = $1`,
    id,
  );
  await database.release(id);
};
const change = (fields: string): Promise<unknown> =>
  database.query(`update public.products set ${fields} where id = $1`, ring);

/** The ways to a refund for each reason, as the mails and the admin page name it. Returns what became of the last payment. */
const ways: Readonly<Record<string, () => Promise<string>>> = {
  async stock_gone() {
    const all = await open(6);
    await open();
    return pay(all);
  },
  async discount_gone() {
    const first = await openAtHalf(1);
    await openAtHalf(2);
    return pay(first);
  },
  async order_cancelled() {
    const order = await open();
    await database.cancelOwn(customer, order.id, false);
    return pay(order);
  },
  async bought_twice() {
    const first = await open();
    await database.release(first.id);
    const second = await open();
    await pay(first);
    return pay(second);
  },
  async person_removed() {
    const order = await open();
    await end(order);
    await database.query('select public.delete_account($1)', customer);
    await database.query('update public.orders set next_check_at = null where id = $1', order.id);
    await database.query('select private.anonymise_orders($1)', [order.id]);
    return pay(order);
  },
  async second_payment() {
    const order = await open();
    await pay(order);
    return pay(order);
  },
  async not_sold() {
    const order = await open();
    await end(order);
    await change('hidden = true');
    return pay(order);
  },
  async price_changed() {
    const order = await open();
    await end(order);
    await change('price = price + 1');
    return pay(order);
  },
  // An advance of a cash order, whose product is sold paid online only by now.
  async cash_order_ended() {
    const order = await open();
    await end(order);
    await database.query(
      'update public.orders set cash_paise = 100, total_paise = total_paise + 100, cash_charge_paise = 100, sum_rows = null where id = $1',
      order.id,
    );
    await change(`attributes = '{"cash_on_delivery": "No"}'`);
    return pay(order);
  },
  amount_mismatch: async () => database.markPaid(await open(), undefined, { amount: 100 }),
};

const counted = (): Promise<number> =>
  database.value(
    `select count(*)::int from public.costs where effect = 'fee_lost' and scope = 'all'`,
  );
const refunds = (): Promise<string[]> => database.column('select reason from public.refunds');

test('there is a way to each reason that the database gives', async () => {
  const given = (await SqlWords.read(database)).of('private.refuse_payment');
  expect(given.length).toBeGreaterThan(5);
  // A duplicate purchase is refunded by the admin only.
  const automatic = given.filter((reason) => reason !== 'duplicate_purchase');
  expect(Object.keys(ways).sort()).toEqual([...automatic, 'amount_mismatch'].sort());
});

test.each(Object.entries(ways))('a refund for %s counts as a lost fee', async (reason, go) => {
  expect(await go()).toBe(reason === 'amount_mismatch' ? 'mismatch' : 'refund_due');
  expect(await refunds()).toEqual([reason]);
  expect(await counted()).toBe(1);
});

test('after two refunds the next payment that cannot be used waits for the admin, whatever the way to it', async () => {
  await database.run(
    `update public.cost_limits set most = 2 where effect = 'fee_lost' and scope = 'all'`,
  );
  for (const [reason, go] of Object.entries(ways)) {
    await database.run(`delete from public.refunds; delete from public.costs;
      insert into public.costs (effect, scope) values ('fee_lost', 'all'), ('fee_lost', 'all')`);
    await newHistory();
    expect([reason, await go(), await refunds()]).toEqual([reason, 'refund_waits', []]);
  }
  await database.allowRefunds();
});

test.each([
  ['a hold that the admin ends', (id: number) => database.release(id, 'ended_by_admin')],
  ['an order that the admin cancels', (id: number) => database.cancel(id)],
  ['keys that Razorpay does not know', (id: number) => database.release(id, 'unknown_at_provider')],
])('a refund after %s is not counted: the shop ended the order', async (_name, endOrder) => {
  const order = await open(6);
  await endOrder(order.id);
  await change('stock = 0');
  expect(await pay(order)).toBe('refund_due');
  expect([(await refunds()).length, await counted()]).toEqual([1, 0]);
});
