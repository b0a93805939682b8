import { afterAll, beforeAll, expect, test } from 'vitest';
import { one, type Database } from '../support/database.ts';
import { createDatabase, type Postgres } from '../support/postgres.ts';
import { addProduct, addShopper, markPaid, newPaymentId, placeOpen } from '../support/shop-rows.ts';
import { restoreFrom, tablesOf } from './restored-database.ts';

/* The restore of docs/going-live.md, with its own commands, on a real PostgreSQL. */
let old: Postgres;
let restored: Postgres;
beforeAll(async () => {
  [old, restored] = [await createDatabase(), await createDatabase()];
});
afterAll(() => Promise.all([old.close(), restored.close()]));

/** Every row as text, by table: what a backup holds. */
async function contents(database: Database): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const { name } of await tablesOf(database)) {
    rows[name] = (
      await database.query<{ row: string }>(`select t::text as row from ${name} t order by 1`)
    ).map(({ row }) => row);
  }
  return rows;
}

test('a backup read into a newly migrated database is the shop as it was, and goes on from there', async () => {
  const shopper = await addShopper(old, 'a@example.com');
  const ring = await addProduct(old, { stock: 5 });
  const order = await placeOpen(old, shopper, [{ product_id: ring, quantity: 2 }]);
  await markPaid(old, order, newPaymentId());

  await restoreFrom(old, restored);

  const kept = await contents(old);
  expect(Object.values(kept).flat().length).toBeGreaterThan(10);
  expect(await contents(restored)).toEqual(kept);
  expect(
    (await one<{ schema: unknown }>(restored, 'select public.describe_schema() as schema')).schema,
  ).toEqual(
    (await one<{ schema: unknown }>(old, 'select public.describe_schema() as schema')).schema,
  );
  const next = await placeOpen(restored, shopper, [{ product_id: ring, quantity: 1 }]);
  expect(next.id).toBeGreaterThan(order.id);
  expect(await one(restored, 'select stock from public.products where id = $1', ring)).toEqual({
    stock: 2,
  });
});
