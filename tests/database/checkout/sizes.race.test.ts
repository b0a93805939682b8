import { expect, test } from 'vitest';
import { useManyCustomers } from '#tests/database/support/many-customers.ts';
import type { Line } from '#tests/database/support/shop-database.ts';
import { times } from '#tests/soak.ts';

/* Races for the sizes of a product, on connections that really run at once. */
const { postgres, connections, customers } = await useManyCustomers(times(40, 200));

const customer = (index: number): string => customers[index % customers.length] ?? '';

test('many customers at once want the last of two sizes, some of both in either order: one gets each, and the sum stays the sum', async () => {
  const before = await postgres.deadlocks();
  for (let round = 0; round < times(3, 20); round += 1) {
    const ring = await postgres.addProduct({ sizes: { '12': 1, '14': 1, '16': 5 } });
    const line = (size: string): Line => ({ product_id: ring, size, quantity: 1 });
    const carts = [[line('14')], [line('12')], [line('12'), line('14')], [line('14'), line('12')]];
    await Promise.all(
      connections.map(async (database, index) => {
        const cart = carts[(index + round) % carts.length] ?? [];
        const { order } = await database.place(customer(index), cart, {
          expected: 102_360 * cart.length,
        });
        if (order && index % 3 === 0) await database.release(order.id);
      }),
    );
    const held = await postgres.query<{ size: string; quantity: number }>(
      `select item ->> 'size' as size, sum((item ->> 'quantity')::int)::int as quantity
       from public.orders o, jsonb_array_elements(o.items) item
       where o.hold_state = 'held' and item ->> 'product_id' = $1 group by 1`,
      ring,
    );
    const of = (size: string) => held.find((row) => row.size === size)?.quantity ?? 0;
    expect(await postgres.sizesOf(ring)).toBe(
      `12:${String(1 - of('12'))} 14:${String(1 - of('14'))} 16:5 = ${String(7 - of('12') - of('14'))}`,
    );
  }
  expect((await postgres.deadlocks()) - before).toBe(0);
});
