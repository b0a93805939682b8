import { afterAll, beforeAll, expect, test } from 'vitest';
import { one, type Database } from '../support/database.ts';
import { createDatabase, type Postgres } from '../support/postgres.ts';
import {
  addProduct,
  addShopper,
  markPaid,
  place,
  placeOpen,
  release,
  type PlacedOrder,
} from '../support/shop-rows.ts';
import { times } from '../../soak.ts';

/* Races, on connections that really run at once. */
const shopping = times(20, 100);
let postgres: Postgres;
let connections: Database[] = [];
beforeAll(async () => {
  postgres = await createDatabase();
  connections = await postgres.connect(shopping);
});
afterAll(() => postgres.close());

const uses = async (): Promise<number> =>
  (
    await one<{ n: number }>(
      postgres,
      `select count(*)::int as n from public.orders where discount_code = 'LAST3' and hold_state in ('held', 'taken')`,
    )
  ).n;

test('many shoppers want the last three uses of a code, with carts of their own, while late payments want them too: three get it', async () => {
  await postgres.query(`select public.create_discount(jsonb_build_object('code', 'LAST3', 'percent', 10, 'min_paise', 0, 'max_uses', 3,
    'first_day', private.india_date(clock_timestamp()), 'last_day', private.india_date(clock_timestamp())))`);
  const shoppers = await Promise.all(connections.map((connection) => addShopper(connection)));
  const rings = await Promise.all(connections.map((connection) => addProduct(connection)));
  const late: (PlacedOrder & { razorpay_order_id: string })[] = [];
  for (const [index, user] of (
    await Promise.all([1, 2, 3].map(() => addShopper(postgres)))
  ).entries()) {
    const order = await placeOpen(
      postgres,
      user,
      [{ product_id: rings[index] ?? '', quantity: 1 }],
      { code: 'LAST3', expected: 92_124 },
    );
    await release(postgres, order.id);
    late.push(order);
  }
  expect(await uses()).toBe(0);
  const outcomes = await Promise.all(
    connections.map(async (connection, index) => {
      const order = late[index];
      if (order) return markPaid(connection, order);
      return (
        await place(
          connection,
          shoppers[index] ?? '',
          [{ product_id: rings[index] ?? '', quantity: 1 }],
          { code: 'LAST3', expected: 92_124 },
        )
      ).outcome;
    }),
  );
  expect(outcomes.filter((outcome) => outcome === 'placed' || outcome === 'paid')).toHaveLength(3);
  expect(new Set(outcomes)).toEqual(
    new Set(
      outcomes.map((outcome, index) =>
        ['placed', 'paid'].includes(outcome) ? outcome : index < 3 ? 'refund_due' : 'discount',
      ),
    ),
  );
  expect(await uses()).toBe(3);
  expect(
    Number(
      (
        await one<{ n: string }>(
          postgres,
          'select deadlocks as n from pg_stat_database where datname = current_database()',
        )
      ).n,
    ),
  ).toBe(0);
});
