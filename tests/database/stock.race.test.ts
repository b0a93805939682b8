import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { one, type Database } from './database.ts';
import { createDatabase, type Postgres } from './postgres.ts';
import { addProduct, addShopper, markPaid, place, release, stockOf, type Line, type Placing } from './shop-rows.ts';

/* Races need connections that really run at once: PGlite has one, and proves nothing here. */
let postgres: Postgres;
let connections: Database[] = [];
let shoppers: string[] = [];
beforeAll(async () => {
  postgres = await createDatabase();
  connections = await postgres.connect(200);
  const sql = `insert into auth.users (email, email_confirmed_at) select 'shopper-' || n || '@example.com', now() from generate_series(1, 200) n returning id`;
  shoppers = (await postgres.query<{ id: string }>(sql)).map(({ id }) => id);
});
afterAll(() => postgres.close());

const deadlocks = async (): Promise<number> =>
  Number(
    (await one<{ n: string }>(postgres, `select deadlocks as n from pg_stat_database where datname = current_database()`)).n,
  );
const connection = (index: number): Database => connections[index % connections.length] ?? postgres;
const shopper = (index: number): string => shoppers[index % shoppers.length] ?? '';
const among = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

test('200 connections try 25 times each to buy one of ten pieces: exactly ten holds', async () => {
  const ring = await addProduct(postgres, { stock: 10 });
  const outcomes = new Map<string, number>();
  const tryAll = async (database: Database, index: number): Promise<void> => {
    for (let attempt = 0; attempt < 25; attempt += 1) {
      const { outcome } = await place(database, shopper(index), [{ product_id: ring, quantity: 1 }], {
        expected: 102_360,
      });
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  await Promise.all(connections.map(tryAll));
  expect(outcomes.get('placed')).toBe(10);
  expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(5_000);
  expect(await stockOf(postgres, ring)).toBe(0);
  expect(await one(postgres, `select count(*)::int as held from public.orders where hold_state = 'held'`)).toEqual({
    held: 10,
  });
  expect(await deadlocks()).toBe(0);
});

describe('carts of four pieces', () => {
  interface Sums {
    id: string;
    stock: number;
    bound: number;
  }
  const sums = (ids: readonly string[]): Promise<Sums[]> =>
    postgres.query<Sums>(
      `select p.id, p.stock, coalesce(sum((item ->> 'quantity')::int) filter (where o.hold_state in ('held', 'taken')), 0)::int as bound
       from public.products p
       left join (public.orders o cross join jsonb_array_elements(o.items) item) on item ->> 'product_id' = p.id::text
       where p.id = any ($1) group by p.id`,
      ids,
    );

  test('200 connections place, replace, pay and release at random while the owner edits: no deadlock, every piece accounted for', async () => {
    let isOpen = true;
    const initial = 160;
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) ids.push(await addProduct(postgres, { price: 100, stock: initial }));
    const before = await deadlocks();
    const outcomes = new Map<string, number>();
    const count = (outcome: string): void => {
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    };
    const randomCart = (): Line[] =>
      ids
        .toSorted(() => Math.random() - 0.5)
        .slice(0, 4)
        .map((id) => ({ product_id: id, quantity: 1 + Math.floor(Math.random() * 3) }));

    const shop = async (database: Database, index: number): Promise<void> => {
      for (let attempt = 0; attempt < 8; attempt += 1) {
        const lines = randomCart();
        const subtotal = lines.reduce((sum, { quantity }) => sum + quantity * 10_000, 0);
        // Half the shoppers' ids are shared by two connections: the same shopper in two tabs.
        const { outcome, order } = await place(database, shopper(index % 150), lines, {
          expected: subtotal + (subtotal * 236) / 10_000,
        });
        count(outcome);
        if (!order) continue;
        const id = `order_${String(order.id)}`;
        await database.query('select public.attach_razorpay_order($1, $2)', order.id, id);
        const next = Math.random();
        if (next < 0.3) count(await markPaid(database, { razorpay_order_id: id, total_paise: order.total_paise }));
        else if (next < 0.6) count(await release(database, order.id));
        // Paid after release: the stock is taken again, or the payment goes back.
        if (next > 0.5 && next < 0.7)
          count(await markPaid(database, { razorpay_order_id: id, total_paise: order.total_paise }));
      }
    };
    const edit = async (database: Database): Promise<void> => {
      for (let edits = 0; isOpen; edits += 1) {
        await sleep(5);
        await database.query(
          'update public.products set description = $2, stock = stock + 0 where id = $1',
          among(ids),
          String(edits),
        );
      }
    };
    const sweep = async (database: Database): Promise<void> => {
      for (let round = 0; isOpen; round += 1) {
        await sleep(20);
        await database.run(`update public.orders set next_check_at = now() where id in (
          select id from public.orders where hold_state = 'held' and id % 7 = ${String(round % 7)} order by id for update skip locked)`);
        const rows = await database.query<{ id: number }>(
          `select (row ->> 'id')::bigint as id from public.orders_to_check(20, 60) row`,
        );
        for (const { id } of rows) count(`sweep ${await release(database, id)}`);
      }
    };
    const owners = await postgres.connect(3);
    const shopping = Promise.all(connections.map(shop)).finally(() => {
      isOpen = false;
    });
    await Promise.all([shopping, ...owners.slice(0, 2).map(edit), ...owners.slice(2).map(sweep)]);

    const totals = await sums(ids);
    expect(totals.map(({ stock, bound }) => stock + bound)).toEqual(ids.map(() => initial));
    expect(totals.every(({ stock }) => stock >= 0)).toBe(true);
    expect((await deadlocks()) - before).toBe(0);
    // Every way was really taken.
    for (const outcome of ['placed', 'paid', 'released', 'out_of_stock', 'refund_due', 'sweep released']) {
      expect(outcomes.get(outcome), outcome).toBeGreaterThan(0);
    }
  });
});

test('one key from 50 connections at once is one order', async () => {
  const [ring, key, buyer] = [
    await addProduct(postgres, { stock: 10 }),
    crypto.randomUUID(),
    await addShopper(postgres),
  ];
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      place(connection(index), buyer, [{ product_id: ring, quantity: 2 }], { key, expected: 204_720 }),
    ),
  );
  expect(new Set(answers.map(({ order }) => order?.id)).size).toBe(1);
  expect(answers.filter(({ outcome }) => outcome === 'placed')).toHaveLength(1);
  expect(answers.filter(({ outcome }) => outcome === 'reused')).toHaveLength(49);
  expect(await stockOf(postgres, ring)).toBe(8);
});

test('one cart with 50 keys at once is one order, too', async () => {
  const [ring, buyer] = [await addProduct(postgres, { stock: 10 }), await addShopper(postgres)];
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index): Promise<Placing> =>
      place(connection(index), buyer, [{ product_id: ring, quantity: 2 }], { expected: 204_720 }),
    ),
  );
  expect(new Set(answers.map(({ order }) => order?.id)).size).toBe(1);
  expect(await stockOf(postgres, ring)).toBe(8);
});

test('two carts of one shopper at once leave one hold', async () => {
  const [ring, buyer] = [await addProduct(postgres, { stock: 100 }), await addShopper(postgres)];
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      place(connection(index), buyer, [{ product_id: ring, quantity: 1 + (index % 2) }], {
        expected: 102_360 * (1 + (index % 2)),
      }),
    ),
  );
  const held = await postgres.query<{ quantity: number }>(
    `select (items -> 0 ->> 'quantity')::int as quantity from public.orders where user_id = $1 and hold_state = 'held'`,
    buyer,
  );
  expect(held).toHaveLength(1);
  expect(await stockOf(postgres, ring)).toBe(100 - (held[0]?.quantity ?? 0));
});
