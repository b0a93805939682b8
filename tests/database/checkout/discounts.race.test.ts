import { expect, test } from 'vitest';
import { race, useDatabase } from '#tests/database/support/postgres.ts';
import type { OpenOrder } from '#tests/database/support/shop-database.ts';
import { times } from '#tests/soak.ts';

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
  const cart = (index: number) => [{ product_id: rings[index] ?? '', quantity: 1 }];
  const reduced = { code: 'LAST3', expected: 92_124 };
  const late: OpenOrder[] = [];
  for (const index of [0, 1, 2]) {
    const order = await postgres.placeOpen(await postgres.addCustomer(), cart(index), reduced);
    await postgres.release(order.id);
    late.push(order);
  }
  expect(await uses()).toBe(0);
  const counts = await race(connections, async (connection, index) => {
    const order = late[index];
    if (order) return connection.markPaid(order);
    return (await connection.place(customers[index] ?? '', cart(index), reduced)).outcome;
  });
  const { placed = 0, paid = 0, refund_due: refunded = 0, discount = 0 } = counts;
  expect([placed + paid, paid + refunded]).toEqual([3, 3]);
  expect(placed + discount).toBe(shopping - 3);
  expect(await uses()).toBe(3);
  expect(await postgres.deadlocks()).toBe(0);
});
