import { afterAll, expect, test } from 'vitest';
import { one } from '../support/database.ts';
import { createDatabase } from '../support/postgres.ts';
import { addProduct, addShopper, placeOpen } from '../support/shop-rows.ts';

const database = await createDatabase();
afterAll(() => database.close());

test('the first comparison begins with the first order, however long its sweeps had failed', async () => {
  const ring = await addProduct(database);
  await placeOpen(database, await addShopper(database), [{ product_id: ring, quantity: 1 }]);
  await database.run(`update public.orders set created_at = now() - interval '8 days'`);
  const { days } = await one<{ days: number }>(
    database,
    `select round(extract(epoch from now() - to_timestamp((public.next_reconciliation() ->> 'from')::bigint)) / 86400)::int as days`,
  );
  expect(days).toBe(8);
});
