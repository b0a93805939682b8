import { expect, test } from 'vitest';
import { createDatabase, useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId, type ShopDatabase } from '#tests/database/support/shop-database.ts';
import { restoreFrom } from './restored-database.ts';

/* `npm run backup` and `npm run restore` on a real PostgreSQL. */
const [old, restored] = [await useDatabase(), await useDatabase()];

/** Every row as text, by table: what a backup holds. */
async function contents(database: ShopDatabase): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  const tables = await database.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and (relnamespace = 'public'::regnamespace or oid = 'auth.users'::regclass)`,
  );
  for (const { name } of tables) {
    rows[name] = await database.column<string>(`select t::text as row from ${name} t order by 1`);
  }
  return rows;
}

test('a backup read into a newly migrated database is the shop as it was, and goes on from there', async () => {
  const customer = await old.addCustomer('a@example.com');
  const ring = await old.addProduct({ stock: 5 });
  const order = await old.placeOpen(customer, [{ product_id: ring, quantity: 2 }]);
  await old.markPaid(order, newPaymentId());

  await restoreFrom(old, restored);

  const kept = await contents(old);
  expect(Object.values(kept).flat().length).toBeGreaterThan(10);
  expect(await contents(restored)).toEqual(kept);
  expect(await restored.value<unknown>('select public.describe_schema()')).toEqual(
    await old.value<unknown>('select public.describe_schema()'),
  );
  const next = await restored.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
  expect(next.id).toBeGreaterThan(order.id);
  expect(await restored.value('select stock from public.products where id = $1', ring)).toBe(2);
});

test('a newer database restores an older backup with defaults for new columns and its own rows of new tables; an older database must be migrated first', async () => {
  const [older, newer] = [await createDatabase(), await createDatabase()];
  await older.addProduct({ stock: 3 });
  await older.run('drop table public.cost_limits cascade');
  await newer.run(`alter table public.products add column origin text not null default 'Thrissur'`);
  await restoreFrom(older, newer);
  expect(await newer.query('select stock, origin from public.products')).toEqual([
    { stock: 3, origin: 'Thrissur' },
  ]);
  expect(await newer.query('select 1 from public.cost_limits')).not.toEqual([]);
  await expect(restoreFrom(newer, older)).rejects.toThrow('apply the migrations');
  await Promise.all([older.close(), newer.close()]);
});

test('a backup with rows of a table that was dropped since is restored without them', async () => {
  const [older, newer] = [await createDatabase(), await createDatabase()];
  await older.addProduct({ stock: 3 });
  await older.run(
    `create table public.rate_limits (bucket text primary key); insert into public.rate_limits values ('one')`,
  );
  await restoreFrom(older, newer);
  expect(await newer.query('select stock from public.products')).toEqual([{ stock: 3 }]);
  await older.run('alter table public.rate_limits rename to counts');
  await expect(restoreFrom(older, newer)).rejects.toThrow('no public.counts.bucket');
  await Promise.all([older.close(), newer.close()]);
});
