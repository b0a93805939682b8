import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readMigrations, readSchemas } from '#local/shared/sql-files.ts';
import { describeDatabase, type Description } from '#local/shared/describe-database.ts';
import { createDatabaseOf } from '#tests/database/support/postgres.ts';

/*
 * supabase/schemas has the SQL as it stands, supabase/migrations what a live shop gets. Both are applied to an empty hosted project
 * here, and the two databases are compared whole.
 */
const schemas = await readSchemas();
const migrations = await readMigrations();
const declared = await createDatabaseOf(schemas);
const migrated = await createDatabaseOf(migrations);
afterAll(() => Promise.all([declared.close(), migrated.close()]));

/** What each of two databases has otherwise than the other, by name. Their difference says what is missing where. */
const otherwise = (one: Description, other: Description): Record<string, string> =>
  Object.fromEntries([...one].filter(([name, text]) => other.get(name) !== text));

const [inSchemas, inMigrations] = [
  await describeDatabase(declared),
  await describeDatabase(migrated),
];

test('the schema files and the migrations make the same database', () => {
  const counts = new Map<string, number>();
  for (const object of inMigrations.keys()) {
    const kind = object.slice(0, object.indexOf(' '));
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  // A query that finds nothing any more would find no difference either.
  for (const [kind, min] of Object.entries({
    schema: 2,
    default: 3,
    table: 25,
    view: 2,
    column: 250,
    constraint: 150,
    index: 80,
    policy: 7,
    function: 200,
    trigger: 20,
    sequence: 10,
    extension: 1,
    bucket: 1,
    rows: 5,
  }))
    expect(counts.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(min);
  // A new migration adds what the migrations lack; supabase/schemas is edited for what it lacks.
  expect(otherwise(inMigrations, inSchemas)).toEqual(otherwise(inSchemas, inMigrations));
});

test.each([
  [
    `create function private.mistake() returns integer language sql as 'select 1'`,
    ['function private.mistake()', 'rights function private.mistake()'],
  ],
  ['alter function private.line_key(jsonb) volatile', ['function private.line_key(jsonb)']],
  [
    'create type private.mistake as (sum bigint)',
    ['type private.mistake', 'attribute private.mistake.sum'],
  ],
  [
    'grant execute on function public.receive_cash to anon',
    ['rights function public.receive_cash(bigint,bigint,text)'],
  ],
  ['alter table public.orders add column mistake integer', ['column public.orders.mistake']],
  [
    'grant select (checks) on public.orders to authenticated',
    ['rights column public.orders.checks'],
  ],
  [`comment on column public.orders.checks is 'mistake'`, ['comment column public.orders.checks']],
  [
    'alter table public.refunds drop constraint refunds_amount_paise_check',
    ['constraint public.refunds: refunds_amount_paise_check'],
  ],
  ['drop index public.orders_held_idx', ['index public.orders_held_idx']],
  ['alter table public.orders disable row level security', ['table public.orders']],
  [
    'drop policy "Customers read their own orders" on public.orders',
    ['policy public.orders: Customers read their own orders'],
  ],
  [
    'drop trigger orders_touch_updated_at on public.orders',
    ['trigger public.orders: orders_touch_updated_at'],
  ],
  [
    'alter default privileges in schema public grant select on tables to anon',
    ['default privileges tables in public'],
  ],
  [`update storage.buckets set public = true where id = 'claims'`, ['bucket claims']],
  [
    `update public.cost_limits set most = 3 where effect = 'fee_lost' and scope = 'account'`,
    ['rows public.cost_limits'],
  ],
])('a migration that does this alone is found: %s', async (mistake, objects) => {
  await migrated.run('begin');
  try {
    await migrated.run(mistake);
    const mistaken = await describeDatabase(migrated);
    const found = { ...otherwise(inSchemas, mistaken), ...otherwise(mistaken, inSchemas) };
    expect(Object.keys(found).toSorted()).toEqual(objects.toSorted());
  } finally {
    await migrated.run('rollback');
  }
});

test('the settings name every schema file once, and a file creates each thing once', async () => {
  const folder = new URL('../../../supabase/schemas/', import.meta.url);
  const files = (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith('.sql'))
    .map((path) => basename(path));
  expect(files.length).toBeGreaterThan(20);
  expect(schemas.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
  const changing = schemas.flatMap(({ name, sql }) =>
    [...sql.matchAll(/^(?:create or replace|drop|update|delete) .*/gmu)].map(
      ([line]) => `${name}: ${line}`,
    ),
  );
  expect(changing).toEqual([]);
});
