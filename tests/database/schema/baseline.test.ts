import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { makeBaseline } from '#local/baseline/make-baseline.ts';
import { describeDatabase } from '#local/shared/describe-database.ts';
import { findChangedMigrations } from '#local/shared/migration-history.ts';
import { readMigrationChecksums, readReleases, timeOf } from '#local/shared/releases.ts';
import { readMigrations, type SqlFile } from '#local/shared/sql-files.ts';
import { pushMigrations } from '#local/supabase-project/supabase-cli.ts';
import { restoreFrom } from '#tests/database/operation/restored-database.ts';
import { createDatabase, createDatabaseOf } from '#tests/database/support/postgres.ts';
import { hasCommit, readSource } from '#tests/git-sources.ts';

/*
 * A live shop that has the migrations which a baseline replaces gets its history repaired, and then the later ones. Its tables have
 * their columns in the order of those migrations, a new shop's in that of the baseline.
 */
const releases = await readReleases();
const release = releases.findLast(({ baseline }) => baseline !== undefined);
const [baseline, ...later] = await readMigrations();
const database = await createDatabase();
afterAll(() => database.close());

test('a shop that has applied the replaced migrations has the database of a new one', async ({
  skip,
}) => {
  if (!release || !hasCommit(release.commit)) return skip('This clone has not the whole history.');
  expect(baseline?.name).toBe(release.baseline?.file);
  const replaced = Object.keys(release.migrations).map((name): SqlFile => ({
    name,
    sql: readSource(release.commit, `supabase/migrations/${name}`),
  }));
  const live = await createDatabaseOf([...replaced, ...later]);
  try {
    const columns = `select string_agg(attname, ',' order by attnum) from pg_attribute where attrelid = 'public.orders'::regclass and attnum > 0`;
    // Otherwise the restore below would say nothing about the order of columns.
    expect(await live.value(columns)).not.toBe(await database.value(columns));
    expect(await describeDatabase(live)).toEqual(await describeDatabase(database));

    const ring = await live.addProduct({ stock: 2 });
    const order = await live.buy([{ product_id: ring, quantity: 1 }]);
    await restoreFrom(live, database);
    const row = 'select to_jsonb(o) from public.orders o where id = $1';
    expect(await database.value(row, order.id)).toEqual(await live.value(row, order.id));
    // The restored shop goes on with the columns of its own order.
    await database.buy([{ product_id: ring, quantity: 1 }]);
  } finally {
    await live.close();
  }
});

let folder: string;
const address = (name: string): string =>
  `postgresql://postgres:postgres@127.0.0.1:${String(inject('postgresPort'))}/${name}`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-push-'));
  // In place of Supabase's CLI: a line for each call.
  await writeFile(
    join(folder, 'npx'),
    `#!/bin/sh\nprintf '%s ' "$@" >> ${folder}/calls\necho >> ${folder}/calls\n`,
  );
  await chmod(join(folder, 'npx'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH'] ?? ''}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** What the CLI is called with for a database of this history: a line for each call, without the words that all have. */
async function callsFor(history: readonly string[]): Promise<string[]> {
  const name = await database.value<string>('select current_database()');
  await database.run(
    `create schema supabase_migrations; create table supabase_migrations.schema_migrations (version text primary key)`,
  );
  try {
    for (const version of history)
      await database.query(
        'insert into supabase_migrations.schema_migrations values ($1)',
        version,
      );
    await pushMigrations(address(name));
    return (await readFile(join(folder, 'calls'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) =>
        line.replace(/^--yes supabase@\S+ /u, '').replace(/ --yes --remote=\S+ *$/u, ''),
      );
  } finally {
    await database.run('drop schema supabase_migrations cascade');
  }
}

const all = Object.keys(release?.migrations ?? {}).map(timeOf);

test('the history of a live shop is repaired once before a push', async () => {
  const [own = ''] = all.slice(-1);
  expect(await callsFor([...all, ...later.map(({ name }) => timeOf(name))])).toEqual([
    `migration repair --status applied ${own}`,
    `migration repair --status reverted ${all.slice(0, -1).join(' ')}`,
    'db push',
  ]);
});

test.each([
  ['a new project', []],
  ['a repaired shop', all.slice(-1)],
])('nothing is repaired where nothing has to be: %s', async (_, history) => {
  expect(await callsFor(history)).toEqual(['db push']);
});

test('a shop that lacks some of the replaced migrations goes by the version before, and nothing is called', async () => {
  await expect(callsFor(all.slice(0, 30))).rejects.toThrow(
    `The database is older than ${release?.version ?? ''}. Upgrade to ${release?.version ?? ''} first`,
  );
  await expect(readFile(join(folder, 'calls'), 'utf8')).rejects.toThrow('ENOENT');
});

test('a release makes the baseline: it takes the place of its files, and only of the database that they make', async ({
  skip,
}) => {
  const plainReleases = releases.slice(0, 3).map(({ baseline: _, ...one }) => one);
  const last = plainReleases.at(-1);
  if (last === undefined || !hasCommit(last.commit))
    return skip('This clone has not the whole history.');
  const root = await mkdtemp(join(tmpdir(), 'kasavu-baseline-'));
  const folder = join(root, 'supabase/migrations');
  try {
    await cp('supabase/migrations', folder, { recursive: true });
    const old = Object.keys(last.migrations).map((name): SqlFile => ({
      name,
      sql: readSource(last.commit, `supabase/migrations/${name}`),
    }));
    for (const { name, sql } of old) await writeFile(join(folder, name), sql);
    const other = { name: old.at(-1)?.name ?? '', sql: 'create table public.mistake ();' };
    await expect(
      makeBaseline(plainReleases, last, [...old.slice(0, -1), other], createDatabaseOf, root),
    ).rejects.toThrow(/make another database than its migrations: .*mistake/u);
    await makeBaseline(plainReleases, last, old, createDatabaseOf, root);
    const written = await readReleases(root);
    expect(written.at(-1)?.baseline).toEqual(releases[2]?.baseline);
    expect(findChangedMigrations(written, await readMigrationChecksums(root))).toEqual([]);
    expect((await readdir(folder)).filter((name) => name in last.migrations)).toEqual([]);
  } finally {
    await rm(root, { recursive: true });
  }
});
