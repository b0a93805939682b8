import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useManyCustomers } from '#tests/database/support/many-customers.ts';
import {
  customerDetails,
  type Line,
  type Placing,
  type ShopDatabase,
} from '#tests/database/support/shop-database.ts';
import { reportFigures } from '#tests/figures.ts';
import { times } from '#tests/soak.ts';

/* Races, on connections that really run at once. */
const shopping = times(40, 200);
const { postgres, connections, customers } = await useManyCustomers(shopping);
// With a device that gets notifications of stock, a payment locks the products too.
await postgres.run(
  `select public.save_push_subscription('https://push.example.com/1', repeat('a', 87), repeat('a', 22), null, '')`,
);

const connection = (index: number): ShopDatabase =>
  connections[index % connections.length] ?? postgres;
const customerAt = (index: number): string => customers[index % customers.length] ?? '';

test('many connections try many times each to buy one of ten units: exactly ten holds', async () => {
  const [tries, rounds] = [times(4, 25), times(1, 20)];
  const held: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ring = await postgres.addProduct({ stock: 10 });
    const outcomes = new Map<string, number>();
    const tryAll = async (database: ShopDatabase, index: number): Promise<void> => {
      for (let attempt = 0; attempt < tries; attempt += 1) {
        const { outcome } = await database.place(
          customerAt(index),
          [{ product_id: ring, quantity: 1 }],
          { expected: 102_360 },
        );
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    };
    await Promise.all(connections.map(tryAll));
    const holding = `select count(*)::int as holds from public.orders where hold_state = 'held' and items -> 0 ->> 'product_id' = $1`;
    held.push(await postgres.value<number>(holding, ring));
    expect(outcomes.get('placed')).toBe(10);
    expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(shopping * tries);
    expect(await postgres.stockOf(ring)).toBe(0);
  }
  reportFigures(1, {
    connections: shopping,
    'tries each': tries,
    rounds,
    'fewest holds': Math.min(...held),
    'most holds': Math.max(...held),
    deadlocks: await postgres.deadlocks(),
  });
  expect(held).toEqual(held.map(() => 10));
  expect(await postgres.deadlocks()).toBe(0);
});

test('customers of one network do not wait for each other’s order', async () => {
  const [first, second] = connections;
  if (!first || !second) throw new Error('No connections');
  const [ring, chain] = [await postgres.addProduct(), await postgres.addProduct()];
  // New customers: whoever holds a product already gives it back with the next order, and locks it.
  const [anu, bala] = [await postgres.addCustomer(), await postgres.addCustomer()];
  const order = (database: ShopDatabase, customerId: string, product: string): Promise<Placing> =>
    database.place(customerId, [{ product_id: product, quantity: 1 }], {
      expected: 102_360,
      network: 'ip:one-mobile-carrier',
    });
  await first.run('begin');
  try {
    expect((await order(first, anu, ring)).outcome).toBe('placed');
    // The first order is not committed yet: waiting for one of its locks would end in an error.
    await second.run(`set lock_timeout = '200ms'`);
    expect((await order(second, bala, chain)).outcome).toBe('placed');
  } finally {
    await second.run('reset lock_timeout');
    await first.run('commit');
  }
});

test('the admin sells by hand, each order sent by several presses at once, while customers buy the same product: nothing is sold twice', async () => {
  const ring = await postgres.addProduct({ stock: 10 });
  const keys = Array.from({ length: 6 }, () => crypto.randomUUID());
  const lines: Line[] = [{ product_id: ring, quantity: 1 }];
  const sell = (database: ShopDatabase, key: string): Promise<string> => {
    const sql = `select public.place_admin_order($1, $2::jsonb, $3::jsonb, 'exhibition', true, 100000, 0, 60, 'cash', '', null) ->> 'outcome'`;
    return database.value(sql, key, JSON.stringify(lines), JSON.stringify(customerDetails));
  };
  const outcomes = await Promise.all(
    connections.map(async (database, index) =>
      index % 2 === 0
        ? sell(database, keys[(index / 2) % keys.length] ?? '')
        : (await database.place(customerAt(index), lines, { expected: 102_360 })).outcome,
    ),
  );
  expect(outcomes.filter((outcome) => outcome === 'placed')).toHaveLength(10);
  expect(await postgres.stockOf(ring)).toBe(0);
  const sold = `select count(*)::int as orders, count(distinct admin_key)::int as keys from public.orders where items -> 0 ->> 'product_id' = $1 and admin_key is not null`;
  const { orders, keys: made } = await postgres.one<{ orders: number; keys: number }>(sold, ring);
  expect(orders).toBe(made);
  expect(await postgres.deadlocks()).toBe(0);
});

describe('carts of four products', () => {
  const [products, initial, tries] = [12, times(40, 160), times(4, 8)];
  const plan = fc.record({
    /** Which products, by their place in the catalogue, and how many of each. */
    lines: fc.uniqueArray(
      fc.record({ product: fc.nat(products - 1), quantity: fc.integer({ min: 1, max: 3 }) }),
      { minLength: 4, maxLength: 4, selector: ({ product }) => product },
    ),
    // A payment after the release takes the stock again, or goes back.
    then: fc.constantFrom('pay', 'release', 'release and pay', 'leave'),
  });

  test('many connections place, replace, pay and release while the owner edits: no deadlock, every unit accounted for', async () => {
    let isOpen = true;
    const ids: string[] = [];
    for (let index = 0; index < products; index += 1)
      ids.push(await postgres.addProduct({ price: 100, stock: initial }));
    const before = await postgres.deadlocks();
    const outcomes = new Map<string, number>();
    const count = (outcome: string): void => {
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    };
    // The same plans in every run; only who comes first differs.
    const plans = fc.sample(plan, { seed: 7, numRuns: shopping * tries });

    const shop = async (database: ShopDatabase, index: number): Promise<void> => {
      // Some customers have two connections: the same customer in two tabs.
      const customer = customerAt(index % Math.ceil(shopping * 0.75));
      for (const { lines, then } of plans.slice(index * tries, (index + 1) * tries)) {
        const subtotal = lines.reduce((sum, { quantity }) => sum + quantity * 10_000, 0);
        const { outcome, order } = await database.place(
          customer,
          lines.map(({ product, quantity }) => ({ product_id: ids[product] ?? '', quantity })),
          { expected: subtotal + (subtotal * 236) / 10_000 },
        );
        count(outcome);
        if (!order) continue;
        const open = { ...order, razorpay_order_id: `order_${String(order.id)}` };
        await database.query(
          'select public.attach_razorpay_order($1, $2)',
          ...[order.id, open.razorpay_order_id],
        );
        if (then.startsWith('release')) count(await database.release(order.id));
        if (then.endsWith('pay')) count(await database.markPaid(open));
      }
    };
    const edit = async (database: ShopDatabase): Promise<void> => {
      const sql = 'update public.products set description = $2, stock = stock + 0 where id = $1';
      for (let edits = 0; isOpen; edits += 1)
        await database.query(sql, ids[(edits * 5) % products], String(edits));
    };
    /** Ends the holds of each seventh order at a time. */
    const sweep = async (database: ShopDatabase): Promise<void> => {
      for (let round = 0; isOpen; round += 1) {
        await database.run(`update public.orders set next_check_at = now() where id in (
          select id from public.orders where hold_state = 'held' and id % 7 = ${String(round % 7)} order by id for update skip locked)`);
        const due = await database.column<number>(
          `select (row ->> 'id')::int from public.orders_to_check(100, 60) row`,
        );
        for (const id of due) count(`sweep ${await database.release(id)}`);
      }
    };
    const [owner, other, sweeper] = await postgres.connect(3);
    if (!owner || !other || !sweeper) throw new Error('No connections');
    const isShopping = Promise.all(connections.map(shop)).finally(() => {
      isOpen = false;
    });
    await Promise.all([isShopping, edit(owner), edit(other), sweep(sweeper)]);

    const totals = await postgres.query<{ stock: number; bound: number }>(
      `select p.stock, coalesce(sum((item ->> 'quantity')::int) filter (where o.hold_state in ('held', 'taken')), 0)::int as bound
       from public.products p
       left join (public.orders o cross join jsonb_array_elements(o.items) item) on item ->> 'product_id' = p.id::text
       where p.id = any ($1) group by p.id`,
      ids,
    );
    const deadlocks = (await postgres.deadlocks()) - before;
    const wrong = totals.filter(({ stock, bound }) => stock < 0 || stock + bound !== initial);
    reportFigures(2, {
      connections: shopping,
      carts: plans.length,
      deadlocks,
      'wrong stock sums': wrong.length,
    });
    expect([totals.length, wrong, deadlocks]).toEqual([products, [], 0]);
    // Every way was really taken.
    for (const outcome of ['placed', 'paid', 'released', 'out_of_stock', 'sweep released'])
      expect(outcomes.get(outcome), JSON.stringify([...outcomes])).toBeGreaterThan(0);
  });
});

test.each([
  ['one cart with one key', true, 1],
  ['one cart with 50 keys', false, 1],
  ['two carts of one customer', false, 2],
])('%s from 50 connections at once: one hold', async (_name, hasOneKey, carts) => {
  const [ring, customer] = [
    await postgres.addProduct({ stock: 100 }),
    await postgres.addCustomer(),
  ];
  const key = crypto.randomUUID();
  await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const quantity = 1 + (index % carts);
      return connection(index).place(customer, [{ product_id: ring, quantity }], {
        ...(hasOneKey ? { key } : {}),
        expected: 102_360 * quantity,
      });
    }),
  );
  const held = await postgres.column<number>(
    `select (items -> 0 ->> 'quantity')::int from public.orders where user_id = $1 and hold_state = 'held'`,
    customer,
  );
  expect(held).toHaveLength(1);
  expect(await postgres.stockOf(ring)).toBe(100 - (held[0] ?? 0));
});
