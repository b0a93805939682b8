import { readdir } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { readMigrations, readSchemas } from '../support/database.ts';
import { describeDatabase, type Description } from '../support/describe-database.ts';
import { createDatabaseOf } from '../support/postgres.ts';

/*
 * supabase/schemas has the SQL as it stands, supabase/migrations what a live shop gets. Both are applied to an empty hosted project
 * here, and the two databases are compared whole.
 */
const schemas = await readSchemas();
const migrations = await readMigrations();
const declared = await createDatabaseOf(schemas);
const migrated = await createDatabaseOf(migrations);
afterAll(() => Promise.all([declared.close(), migrated.close()]));

/** The file of supabase/schemas where an object is, such as `function private.line_key(jsonb)` or `column public.orders.id`. */
function fileOf(object: string): string {
  const kind = object.slice(0, object.indexOf(' '));
  const name = object.slice(object.lastIndexOf(kind === 'index' ? '.' : ': ') + 1).trim();
  const [, owner = ''] = /((?:public|private)\.\w+?)(?:_[a-z]+_seq)?(?!\w)/u.exec(object) ?? [];
  const creating: Readonly<Record<string, string>> = {
    function: `create function ${owner}(`,
    view: `create view ${owner} `,
    policy: `create policy "${name}"`,
    trigger: `create trigger ${name}\n`,
    index: `index ${name} `,
    bucket: `'${object.slice(object.indexOf(' ') + 1)}', '`,
  };
  const file = schemas.find(({ sql }) => sql.includes(creating[kind] ?? `create table ${owner} (`));
  return file ? `supabase/schemas/${file.name}` : 'a file of supabase/schemas';
}

/** The first line in which two definitions differ, as each has it. */
function firstDifference(inSchemas: string, inMigrations: string): string {
  const [one, other] = [inSchemas.split('\n'), inMigrations.split('\n')];
  const at = one.findIndex((line, index) => line !== other[index]);
  const line = at < 0 ? one.length : at;
  const quote = (text: string | undefined): string =>
    text === undefined ? 'nothing' : `"${text.trim()}"`;
  return `${quote(one[line])} in the file, ${quote(other[line])} in the migrations`;
}

/** One sentence for each difference, with what to do about it. */
function compare(inSchemas: Description, inMigrations: Description): string[] {
  const sentences: string[] = [];
  for (const [object, text] of inSchemas) {
    const other = inMigrations.get(object);
    if (other === undefined)
      sentences.push(
        `${object} is in no migration: add a migration that makes it, or take it out of ${fileOf(object)}.`,
      );
    else if (other !== text)
      sentences.push(
        `${object} differs: edit ${fileOf(object)}, or add a migration. ${firstDifference(text, other)}.`,
      );
  }
  for (const object of inMigrations.keys())
    if (!inSchemas.has(object))
      sentences.push(
        `${object} is in no schema file: add it to ${fileOf(object)}, or add a migration that drops it.`,
      );
  return sentences;
}

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
  expect(compare(inSchemas, inMigrations)).toEqual([]);
});

test.each([
  [
    `create function private.mistake() returns integer language sql as 'select 1'`,
    'function private.mistake() is in no schema file',
  ],
  [
    `create or replace function private.platform_fee(p_subtotal_paise bigint, p_fee_bps integer) returns bigint language sql as 'select 1'`,
    'function private.platform_fee(bigint,integer) differs: edit supabase/schemas/checkout.sql, or add a migration',
  ],
  [
    'alter table public.orders add column mistake integer',
    'column public.orders.mistake is in no schema file: add it to supabase/schemas/orders.sql',
  ],
  [
    'grant select (checks) on public.orders to authenticated',
    'column public.orders.checks differs',
  ],
  [
    'alter table public.refunds drop constraint refunds_amount_paise_check',
    'constraint public.refunds: refunds_amount_paise_check is in no migration: add a migration that makes it, or take it out of supabase/schemas/refunds.sql',
  ],
  [
    'alter table public.orders disable row level security',
    'table public.orders differs: edit supabase/schemas/orders.sql',
  ],
  [
    'drop policy "Customers read their own orders" on public.orders',
    'policy public.orders: Customers read their own orders is in no migration: add a migration that makes it, or take it out of supabase/schemas/orders.sql',
  ],
  [
    'alter default privileges in schema public grant select on tables to anon',
    'default privileges tables in public differs',
  ],
  [
    `update storage.buckets set public = true where id = 'claims'`,
    'bucket claims differs: edit supabase/schemas/claims.sql',
  ],
  [
    `update public.cost_limits set most = 3 where effect = 'fee_lost' and scope = 'account'`,
    'rows public.cost_limits differs: edit supabase/schemas/costs.sql, or add a migration',
  ],
])('a migration that does this alone is found: %s', async (mistake, sentence) => {
  await migrated.run('begin');
  try {
    await migrated.run(mistake);
    const sentences = compare(inSchemas, await describeDatabase(migrated));
    expect(sentences).toContainEqual(expect.stringContaining(sentence));
  } finally {
    await migrated.run('rollback');
  }
});

test('the settings name every schema file once, and a file creates each thing once', async () => {
  const folder = new URL('../../../supabase/schemas/', import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql'));
  expect(files.length).toBeGreaterThan(20);
  expect(schemas.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
  const changing = schemas.flatMap(({ name, sql }) =>
    [...sql.matchAll(/^(?:create or replace|drop|update|delete) .*/gmu)].map(
      ([line]) => `${name}: ${line}`,
    ),
  );
  expect(changing).toEqual([]);
});
