import { beforeEach, expect, test } from 'vitest';
import { useDatabase } from '../support/postgres.ts';
import type { OpenOrder } from '../support/shop-database.ts';

/*
 * Razorpay keeps its fee of a payment that is refunded. A refund of a payment that its order cannot use is the customer's act, unless
 * the shop ended the order. The acts below are what happens to orders without the shop ending one; no list says which of them leads to
 * a refund.
 */
const database = await useDatabase();
await database.allowRefunds();

beforeEach(() =>
  database.run(
    'truncate public.costs, public.outbox, public.refunds, public.payments, public.orders, public.discount_codes cascade',
  ),
);

/** One customer's history with one product, beside another customer who buys all of its stock. */
async function createHistory() {
  let customer = await database.addCustomer();
  const ring = await database.addProduct({ stock: 6, price: 1_000 });
  const other = await database.addProduct({ stock: 50, price: 10 });
  const code = crypto.randomUUID().slice(0, 8).toUpperCase();
  await database.query(
    `insert into public.discount_codes (code, percent, first_day, last_day, max_per_shopper)
     values ($1, 50, current_date - 90, current_date + 90, 1)`,
    code,
  );
  const orders: OpenOrder[] = [];
  const chosen = (at: number): OpenOrder | undefined => orders[at % Math.max(orders.length, 1)];
  const carts = [
    [{ product_id: ring, quantity: 6 }],
    [{ product_id: ring, quantity: 1 }],
    [
      { product_id: ring, quantity: 1 },
      { product_id: other, quantity: 1 },
    ],
  ];
  const halves = [
    { quantity: 1, expected: 51_180 },
    { quantity: 2, expected: 102_360 },
  ];
  /** Every act that does not end an order for the shop; `at` chooses one of their orders. Returns what became of a payment. */
  const acts = {
    place: async (at: number) => {
      const { order } = await database.place(customer, carts[at % carts.length] ?? []);
      await keep(order);
    },
    'place with a code': async (at: number) => {
      const { quantity, expected } = halves[at % 2] ?? { quantity: 1, expected: 0 };
      const lines = [{ product_id: ring, quantity }];
      await keep((await database.place(customer, lines, { code, expected })).order);
    },
    'give up': async (at: number) => {
      const order = chosen(at);
      if (order) await database.cancelOwn(customer, order.id, false);
    },
    wait: async (at: number) => {
      // The holds end, and on every second time everything about the orders does.
      await database.query(
        `update public.orders set created_at = created_at - $2::interval, hold_expires_at = hold_expires_at - $2::interval,
           released_at = released_at - $2::interval, next_check_at = now() where user_id = $1 and payment_id is null`,
        customer,
        at % 2 === 0 ? '25 minutes' : '200 days',
      );
      for (const id of await database.column<number>(
        `select (row ->> 'id')::int from public.orders_to_check(50, 60) row`,
      ))
        await database.release(id);
    },
    'delete the account': async () => {
      await database.query('select public.delete_account($1)', customer);
      await database.run(`update public.heartbeats set last_at = null where name = 'forget'`);
      await database.query(
        `update public.orders set next_check_at = null where hold_state = 'released'`,
      );
      const ids = await database.column<number>(
        `select id from public.orders where erase_pending and payment_id is null and hold_state = 'released'`,
      );
      await database.query('select private.anonymise_orders($1)', ids);
      customer = await database.addCustomer();
    },
    'another customer buys the stock': async () => {
      const left = await database.value<number>(
        'select case when hidden then 0 else stock end from public.products where id = $1',
        ring,
      );
      if (left > 0) await database.buy([{ product_id: ring, quantity: left }]);
    },
    'the shop hides the product': () =>
      database.query('update public.products set hidden = true where id = $1', ring),
    'the price rises': () =>
      database.query('update public.products set price = price + 1 where id = $1', ring),
    pay: async (at: number) => {
      const order = chosen(at);
      return order && database.markPaid(order);
    },
    'pay a wrong amount': async (at: number) => {
      const order = chosen(at);
      return order && database.markPaid(order, undefined, { amount: 100 });
    },
  };
  async function keep(order: { id: number; total_paise: number } | undefined): Promise<void> {
    if (!order || orders.some(({ id }) => id === order.id)) return;
    const razorpayOrderId = `order_${String(order.id)}`;
    await database.query('select public.attach_razorpay_order($1, $2)', order.id, razorpayOrderId);
    orders.push({ ...order, razorpay_order_id: razorpayOrderId } as OpenOrder);
  }
  return { acts, orders, ring };
}
type Act = keyof Awaited<ReturnType<typeof createHistory>>['acts'];

const counted = (): Promise<number> =>
  database.value(
    `select count(*)::int from public.costs where effect = 'fee_lost' and scope = 'all'`,
  );
const refunds = (): Promise<number> => database.value('select count(*)::int from public.refunds');

/** The acts that lead to a refund for each reason, as the mails and the admin page name it; each with the number that it is given. */
const ways: Readonly<Record<string, string>> = {
  stock_gone: 'place 0, place 2, pay 0',
  discount_gone: 'place with a code 0, place with a code 1, pay 0',
  order_cancelled: 'place 1, give up 0, pay 0',
  bought_twice: 'place 1, wait 0, place 1, pay 0, pay 1',
  person_removed: 'place 1, wait 1, delete the account 0, pay 0',
  second_payment: 'place 1, pay 0, pay 0',
  not_sold: 'place 1, wait 0, the shop hides the product 0, pay 0',
  price_changed: 'place 1, wait 0, the price rises 0, pay 0',
  amount_mismatch: 'place 1, pay a wrong amount 0',
};
/** Does the acts of a way, and returns what became of the last payment. */
async function go(way: string): Promise<{ outcome: unknown; orders: OpenOrder[] }> {
  const { acts, orders } = await createHistory();
  let outcome: unknown;
  for (const step of way.split(', '))
    outcome = await acts[step.slice(0, -2) as Act](Number(step.slice(-1)));
  return { outcome, orders };
}

test('there is a way to each reason that the database gives', async () => {
  const given = await database.column<string>(
    `select distinct m[1] from pg_proc p, regexp_matches(p.prosrc, '''([a-z]+_[a-z_]+)''', 'g') m
     where p.proname in ('refuse_payment', 'late_refusal')`,
  );
  expect(given.length).toBeGreaterThan(5);
  // A duplicate purchase is refunded by the admin only.
  const automatic = given.filter((reason) => reason !== 'duplicate_purchase');
  expect(Object.keys(ways).sort()).toEqual([...automatic, 'amount_mismatch'].sort());
});

test.each(Object.entries(ways))('a refund for %s counts as a lost fee', async (reason, way) => {
  const { outcome } = await go(way);
  expect(outcome).toBe(reason === 'amount_mismatch' ? 'mismatch' : 'refund_due');
  expect(await database.column('select reason from public.refunds')).toEqual([reason]);
  expect(await counted()).toBe(1);
});

test('after two refunds the next payment that cannot be used waits for the admin, whatever the way to it', async () => {
  await database.run(
    `update public.cost_limits set most = 2 where effect = 'fee_lost' and scope = 'all'`,
  );
  for (const [reason, way] of Object.entries(ways)) {
    await database.run(`delete from public.refunds; delete from public.costs;
      insert into public.costs (effect, scope) values ('fee_lost', 'all'), ('fee_lost', 'all')`);
    const { outcome, orders } = await go(way);
    expect([reason, outcome]).toEqual([reason, 'refund_waits']);
    expect([reason, await refunds()]).toEqual([reason, 0]);
    if (reason === 'amount_mismatch')
      expect(await database.orderRow(orders[0]?.id ?? 0)).toMatchObject({
        status: 'PENDING',
        hold_state: 'held',
      });
  }
  await database.allowRefunds();
});

test('a refund of an order that the shop ended is not counted', async () => {
  const ends = {
    'a hold that the admin ends': (id: number) => database.release(id, 'ended_by_admin'),
    'an order that the admin cancels': (id: number) => database.cancel(id),
    'keys that Razorpay does not know': (id: number) => database.release(id, 'unknown_at_provider'),
  };
  for (const [end, act] of Object.entries(ends)) {
    const { acts, orders } = await createHistory();
    await acts.place(0);
    await act(orders[0]?.id ?? 0);
    await acts['another customer buys the stock']();
    expect([end, await acts.pay(0)]).toEqual([end, 'refund_due']);
  }
  expect(await refunds()).toBe(3);
  expect(await counted()).toBe(0);
});
