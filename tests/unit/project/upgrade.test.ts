import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foldHistory } from '#local/shared/migration-history.ts';
import {
  readMigrationChecksums,
  readReleases,
  timeOf,
  type Release,
} from '#local/shared/releases.ts';
import { readMigrations } from '#local/shared/sql-files.ts';
import { extractSources, hasCommit } from '#tests/git-sources.ts';

/* In the minutes of an upgrade one version's functions run on the other one's database (docs/upgrading.md). */

const run = promisify(execFile);
const orderTests = 'tests/functions/checkout/purchase.test.ts';
const folders = ['src', 'netlify', 'tests', 'local', 'supabase', 'docs'];
const files = [
  'package.json',
  'package-lock.json',
  'tailwind.config.mjs',
  'tsconfig.json',
  'vitest.config.ts',
];

const current = await readMigrationChecksums();
const releases = await readReleases();
/** The migrations of this checkout that the database of a release lacks, its history repaired. */
function filesAfter({ migrations }: Release): string[] {
  const { history } = foldHistory(releases, Object.keys(migrations).map(timeOf));
  return Object.keys(current).filter((file) => !history.includes(timeOf(file)));
}
/** The last release whose database lacks a migration of this checkout. */
const before = releases.findLast((release) => filesAfter(release).length > 0);

let copy = '';
beforeEach(async () => {
  copy = await mkdtemp(join(tmpdir(), 'kasavu-upgrade-'));
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
});
afterEach(() => rm(copy, { recursive: true, force: true }));

/** 'passed', or the output of the order tests of the copied sources. */
async function runOrderTests(): Promise<string> {
  const clean = { NODE_OPTIONS: '', VITEST: '', VITEST_POOL_ID: '', VITEST_WORKER_ID: '' };
  const program = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'functions', orderTests];
  const options = { cwd: copy, env: { ...process.env, ...clean } };
  return run(process.execPath, program, options).then(
    () => 'passed',
    (error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      return `${stdout}\n${stderr}`;
    },
  );
}

/** A later version's migration, when there is none yet: a column, and a function with one more argument that writes it. */
async function inventMigration(): Promise<void> {
  const migrations = join(copy, 'supabase/migrations');
  const texts = (await readMigrations(copy)).map(({ sql }) => sql).join('\n');
  // The last file that has it, as the database has it.
  const [whole = ''] =
    texts
      .match(/^create (?:or replace )?function public\.attach_razorpay_order\(.*?^\$\$;$/gmsu)
      ?.slice(-1) ?? [];
  const changed = whole
    .replace('p_key_id text default null)', 'p_key_id text default null, p_wrap text default null)')
    .replace('set razorpay_order_id = ', 'set gift_wrap = p_wrap, razorpay_order_id = ');
  expect(changed.match(/p_wrap/gu)).toHaveLength(2);
  const sql = [
    'alter table public.orders add column gift_wrap text;',
    'drop function public.attach_razorpay_order(bigint, text, text);',
    changed,
    'grant execute on function public.attach_razorpay_order(bigint, text, text, text) to service_role;',
  ];
  await writeFile(join(migrations, '29990101000000_gift_wrap.sql'), `${sql.join('\n')}\n`);
}

/** Leaves the browser roles of the embedded stack what the copied migrations make: `supabase/schemas` grants later columns and tables, too. */
async function leaveOutLaterGrants(): Promise<void> {
  const folder = join(copy, 'supabase/migrations');
  const migrations = await Promise.all(
    (await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')),
  );
  const sql = migrations.join('\n');
  const tables = new Set(
    [...sql.matchAll(/^create (?:table|view) public\.(\w+)/gmu)].map(([, name]) => name),
  );
  // A column's name stands before its type. Other tables may have a column of the same name.
  const types = 'bigint|boolean|integer|jsonb|numeric|smallint|text|timestamptz|uuid';
  const columnsOf = (table: string): Set<string | undefined> => {
    const statements = [
      ...sql.matchAll(new RegExp(`^(?:create|alter) table public\\.${table}\\b[^;]*;`, 'gmu')),
    ].join('\n');
    return new Set(
      [...statements.matchAll(new RegExp(`(\\w+) (?:${types})\\b`, 'gu'))].map(([, name]) => name),
    );
  };
  for (const file of await readdir(join(copy, 'supabase/schemas'), { recursive: true })) {
    if (!file.endsWith('.sql')) continue;
    const path = join(copy, 'supabase/schemas', file);
    const schema = await readFile(path, 'utf8');
    const older = schema
      .replaceAll(/^grant [^;]* on public\.(\w+) to [^;]*;/gmu, (grant, table: string) =>
        tables.has(table) ? grant : '',
      )
      .replaceAll(
        /(?<=^grant select \()(?<granted>[^)]*)(?=\) on public\.(?<table>\w+))/gmu,
        (_match, granted: string, table: string) => {
          const columns = columnsOf(table);
          return granted
            .split(',')
            .filter((column) => columns.has(column.trim()))
            .join(',');
        },
      );
    await writeFile(path, older);
  }
}

test('orders are placed and paid by the release before on this database', async ({ skip }) => {
  const commit = before?.commit ?? releases.at(-1)?.commit ?? 'HEAD';
  if (!hasCommit(commit))
    skip(`This checkout has no commit ${commit}: clone the repository with its whole history.`);
  extractSources(commit, copy, [...folders, ...files]);
  if (before) {
    await rm(join(copy, 'supabase'), { recursive: true });
    await cp('supabase', join(copy, 'supabase'), { recursive: true });
  } else await inventMigration();
  expect(await runOrderTests()).toBe('passed');
}, 180_000);

test('orders are placed and paid by these sources on the database of the release before', async ({
  skip,
}) => {
  if (!before)
    return skip('No release has an older database: the function tests run on that of the last.');
  for (const name of [...folders, ...files]) {
    await cp(name, join(copy, name), {
      recursive: true,
      filter: (path) => !/^local\/demo\/pictures$/u.test(path),
    });
  }
  for (const file of filesAfter(before)) await rm(join(copy, 'supabase/migrations', file));
  await leaveOutLaterGrants();
  expect(await runOrderTests()).toBe('passed');
}, 180_000);
