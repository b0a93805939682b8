import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { one, type Database } from '../support/database.ts';
import { createDatabase, type Postgres } from '../support/postgres.ts';
import { addProduct, addShopper, markPaid, newPaymentId, placeOpen } from '../support/shop-rows.ts';

/*
 * The restore of docs/going-live.md, with its own commands, on a real PostgreSQL. Its `pg_dump` is not among the
 * binaries that the tests bring: the rows are carried over here as that does it, each table's and the next number of
 * each sequence.
 */
let old: Postgres;
let restored: Postgres;
beforeAll(async () => {
  [old, restored] = [await createDatabase(), await createDatabase()];
});
afterAll(() => Promise.all([old.close(), restored.close()]));

const tablesOf = (database: Database): Promise<{ name: string; columns: string }[]> =>
  database.query(
    `select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and (c.relnamespace = 'public'::regnamespace or c.oid = 'auth.users'::regclass)
     group by c.oid order by 1`,
  );

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

/** What the guide's `psql` runs before it reads the file. */
async function commandsOfGuide(): Promise<string[]> {
  const guide = await readFile(new URL('../../../docs/going-live.md', import.meta.url), 'utf8');
  const block = /psql "\$NEW_DATABASE_URL"[\s\S]*?--file=shop\.sql/u.exec(guide)?.[0] ?? '';
  return [...block.matchAll(/--command=(["'])([\s\S]*?)\1(?=\s)/gu)].map(
    ([, , command]) => command ?? '',
  );
}

async function carryOver(from: Database, to: Database): Promise<void> {
  for (const { name, columns } of await tablesOf(from)) {
    const rows = await from.query<{ rows: string }>(
      `select coalesce(jsonb_agg(t), '[]')::text as rows from ${name} t`,
    );
    await to.query(
      `insert into ${name} (${columns}) overriding system value select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
      rows[0]?.rows,
    );
  }
  const sequences = await from.query<{ name: string; last: number | null }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value as last from pg_sequences where schemaname = 'public'`,
  );
  for (const { name, last } of sequences)
    if (last !== null) await to.query('select setval($1::regclass, $2)', name, last);
}

test('a backup read into a newly migrated database is the shop as it was, and goes on from there', async () => {
  const shopper = await addShopper(old, 'a@example.com');
  const ring = await addProduct(old, { stock: 5 });
  const order = await placeOpen(old, shopper, [{ product_id: ring, quantity: 2 }]);
  await markPaid(old, order, newPaymentId());

  const commands = await commandsOfGuide();
  expect(commands).toHaveLength(2);
  await restored.run('begin');
  for (const command of commands) await restored.run(command);
  await carryOver(old, restored);
  await restored.run('commit');
  await restored.run('reset session_replication_role');

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
