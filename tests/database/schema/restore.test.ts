import { afterAll, beforeAll, expect, test } from 'vitest';
import { one, type Database } from '../support/database.ts';
import { createDatabase, type Postgres } from '../support/postgres.ts';
import { addProduct, addShopper, markPaid, newPaymentId, placeOpen } from '../support/shop-rows.ts';
import { restoreFrom } from './restored-database.ts';

/* What `npm run backup` reads and `npm run restore` writes, on a real PostgreSQL. */
let old: Postgres;
let restored: Postgres;
beforeAll(async () => {
  [old, restored] = [await createDatabase(), await createDatabase()];
});
afterAll(() => Promise.all([old.close(), restored.close()]));

/** Every row as text, by table: what a backup holds. */
async function contents(database: Database): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  const tables = await database.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and (relnamespace = 'public'::regnamespace or oid = 'auth.users'::regclass)`,
  );
  for (const { name } of tables) {
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

test('a newer database takes an older backup: a new column gets its default; an older one is told to be migrated first', async () => {
  const [older, newer] = [await createDatabase(), await createDatabase()];
  await addProduct(older, { stock: 3 });
  await newer.run(`alter table public.products add column origin text not null default 'Thrissur'`);
  await restoreFrom(older, newer);
  expect(await newer.query('select stock, origin from public.products')).toEqual([
    { stock: 3, origin: 'Thrissur' },
  ]);
  await expect(restoreFrom(newer, older)).rejects.toThrow(
    'The database has no public.products.origin: apply the migrations',
  );
  await Promise.all([older.close(), newer.close()]);
});

test('numbers that JavaScript would round are kept to the last digit', async () => {
  const [from, to] = [await createDatabase(), await createDatabase()];
  const exact = '12345678901234567.89';
  for (const database of [from, to])
    await database.run(`alter table public.products add column exact numeric`);
  await addProduct(from);
  await from.run(`update public.products set exact = ${exact} where true`);
  await restoreFrom(from, to);
  expect(await one(to, 'select exact::text from public.products')).toEqual({ exact });
  await Promise.all([from.close(), to.close()]);
});
