import { expect, test } from 'vitest';
import { useDatabase } from '../support/postgres.ts';
import type { PlacedOrder } from '../support/shop-database.ts';
import { times } from '../../soak.ts';

/* Races, on connections that really run at once. */
const shopping = times(20, 100);
const postgres = await useDatabase();
await postgres.allowRefunds();
const connections = await postgres.connect(shopping);

const uses = (): Promise<number> =>
  postgres.value(
    `select count(*)::int from public.orders where discount_code = 'LAST3' and hold_state in ('held', 'taken')`,
  );

test('many customers want the last three uses of a code, with carts of their own, while late payments want them too: three get it', async () => {
  await postgres.query(`select public.create_discount(jsonb_build_object('code', 'LAST3', 'percent', 10, 'min_paise', 0, 'max_uses', 3,
    'first_day', private.india_date(clock_timestamp()), 'last_day', private.india_date(clock_timestamp())))`);
  const customers = await Promise.all(connections.map((connection) => connection.addCustomer()));
  const rings = await Promise.all(connections.map((connection) => connection.addProduct()));
  const late: (PlacedOrder & { razorpay_order_id: string })[] = [];
  for (const [index, user] of (
    await Promise.all([1, 2, 3].map(() => postgres.addCustomer()))
  ).entries()) {
    const order = await postgres.placeOpen(
      user,
      [{ product_id: rings[index] ?? '', quantity: 1 }],
      { code: 'LAST3', expected: 92_124 },
    );
    await postgres.release(order.id);
    late.push(order);
  }
  expect(await uses()).toBe(0);
  const outcomes = await Promise.all(
    connections.map(async (connection, index) => {
      const order = late[index];
      if (order) return connection.markPaid(order);
      return (
        await connection.place(
          customers[index] ?? '',
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
  expect(await postgres.deadlocks()).toBe(0);
});
