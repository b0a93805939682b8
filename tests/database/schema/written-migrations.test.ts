import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planBetween } from '#local/migration/make-migration.ts';
import { applyDiff, invertDiff, isFollowed, readChanges } from '#tests/documented-changes.ts';
import { expectEqualAfter } from '#tests/database/support/equal-databases.ts';
import { createDatabaseOf, type Postgres } from '#tests/database/support/postgres.ts';
import { changing, schemaChanges, schemas } from '#tests/database/support/schema-changes.ts';

/* `npm run migration` on real PostgreSQL: what it writes makes the database of supabase/schemas out of the one before. */

let before: Postgres;
beforeAll(async () => {
  before = await createDatabaseOf(schemas);
});
afterAll(() => before.close());

test.each(Object.keys(schemaChanges))('a migration is written for %s', async (name) => {
  const {
    change,
    written,
    asked = [],
    byHand: [first, last] = ['', ''],
  } = schemaChanges[name]?.() ?? { change: [], written: [] };
  const declared = await createDatabaseOf(change);
  try {
    const plan = await planBetween(declared, before, change);
    expect([...plan.before, ...plan.after]).toEqual(asked);
    const lines = plan.sql.split('\n');
    const places = written.map((line) => lines.indexOf(line));
    expect(places, plan.sql).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    await expectEqualAfter(before, declared, [first, plan.sql, last]);
  } finally {
    await declared.close();
  }
});

test.each([
  [
    'private.phone_key(text)',
    changing('orders.sql', [`'[0-9]{10}$');`, `'[0-9]{8}$');`]),
    'column public.orders.phone_key',
  ],
  [
    'private.are_sizes(jsonb)',
    changing('products.sql', [
      `when jsonb_typeof(p_sizes) is distinct from 'array' then false`,
      `when p_sizes is null then false`,
    ]),
    'constraint public.products: products_known_sizes',
  ],
])('the author writes %s, because rows keep what it returned', async (name, change, stored) => {
  const declared = await createDatabaseOf(change);
  try {
    const plan = await planBetween(declared, before, change);
    expect(plan.sql).toBe('');
    expect(plan.before).toEqual([
      expect.stringContaining(`function ${name}: stored rows keep the old value in ${stored}`),
    ]);
  } finally {
    await declared.close();
  }
});

test('the author drops a function that a generated column depends on', async () => {
  const change = changing(
    'orders.sql',
    ['phone_key(p_phone text)', 'phone_key(p_phone text, p_country text default null)'],
    ['private.phone_key(text) to', 'private.phone_key(text, text) to'],
  );
  const declared = await createDatabaseOf(change);
  try {
    const plan = await planBetween(declared, before, change);
    expect(plan.sql).not.toMatch(/^drop /mu);
    expect(plan.before).toEqual([
      'function private.phone_key(text): column public.orders.phone_key depends on it: drop it here first, and create it anew.',
    ]);
  } finally {
    await declared.close();
  }
});

test('docs/first-change.md names the line that its migration gets, and its SQL does what the line asks', async () => {
  const page = await readFile('docs/first-change.md', 'utf8');
  const blocks = readChanges(page);
  const diff = blocks.find(({ path }) => path.startsWith('supabase/schemas/'));
  const sql = blocks.find(({ kind }) => kind === 'sql')?.text ?? '';
  if (!diff) throw new Error('The page changes no schema file.');
  const edit = (text: string): typeof schemas =>
    schemas.map((file) =>
      diff.path.endsWith(`/${file.name}`) ? { ...file, sql: applyDiff(file.sql, text) } : file,
    );
  const followed = schemas.some(
    (file) => diff.path.endsWith(`/${file.name}`) && isFollowed(file.sql, diff.text),
  );
  const [without, after] = followed
    ? [edit(invertDiff(diff.text)), schemas]
    : [schemas, edit(diff.text)];
  const migrated = await createDatabaseOf(without);
  const declared = await createDatabaseOf(after);
  try {
    const plan = await planBetween(declared, migrated, after);
    expect(plan).toEqual({ before: [], after: [expect.any(String)], sql: '' });
    expect(page).toContain(`\`-- BY HAND: ${plan.after[0] ?? ''}\``);
    await expectEqualAfter(migrated, declared, [sql]);
  } finally {
    await migrated.close();
    await declared.close();
  }
});
