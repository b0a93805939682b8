import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeVersion, findChangedMigrations } from '#local/shared/migration-history.ts';
import {
  findUnfinished,
  nextMigration,
  readMigrationChecksums,
  readReleases,
  type Release,
} from '#local/shared/releases.ts';
import { readMigrations } from '#local/shared/sql-files.ts';
import { extractSources, hasCommit } from '#tests/git-sources.ts';
import packageJson from '../../../package.json' with { type: 'json' };

let copy: string;
let invented: Release;
beforeEach(async () => {
  copy = await mkdtemp(join(tmpdir(), 'kasavu-releases-'));
  await cp('supabase/migrations', join(copy, 'supabase/migrations'), { recursive: true });
  const migrations = await readMigrationChecksums(copy);
  invented = { version: '9.0.0', date: '2026-11-24', commit: '0'.repeat(40), migrations };
});
afterEach(() => rm(copy, { recursive: true, force: true }));

test('released migrations never change, and later ones run after them', async () => {
  expect(findChangedMigrations(await readReleases(), await readMigrationChecksums())).toEqual([]);
});

test('a new migration is named by its time, or a second after the last one where that is later', async () => {
  const now = new Date('2026-11-27T12:30:45.678Z');
  expect(nextMigration(['20261127123044_a.sql'], 'closure', now)).toBe(
    '20261127123045_closure.sql',
  );
  expect(nextMigration(['20261231235959_b.sql', '20261120000000_a.sql'], 'closure', now)).toBe(
    '20270101000000_closure.sql',
  );
  const files = Object.keys(await readMigrationChecksums());
  expect(nextMigration(files, 'closure', now) > (files.at(-1) ?? '')).toBe(true);
});

test('a released migration that is edited, renamed or preceded by a new one is reported', async () => {
  const folder = join(copy, 'supabase/migrations');
  const found = async (): Promise<string[]> =>
    findChangedMigrations([invented], await readMigrationChecksums(copy));
  expect(await found()).toEqual([]);
  await writeFile(join(folder, '29990101000000_later.sql'), 'select 1;');
  expect(await found()).toEqual([]);
  const [first = '', second = ''] = Object.keys(invented.migrations);
  await writeFile(join(folder, first), `${await readFile(join(folder, first), 'utf8')} `);
  await rename(join(folder, second), join(folder, '20200101000000_early.sql'));
  expect(await found()).toEqual([
    `${first} has changed since 9.0.0: put it back, and add a file for the change.`,
    `${second} is gone: it belongs to 9.0.0.`,
    expect.stringMatching(/^20200101000000_early\.sql runs before \d+_\w+\.sql/u),
  ]);
});

test('no migration waits for what its author writes by hand', async () => {
  const [file = { name: '', sql: '' }, ...others] = await readMigrations();
  const unfinished = { ...file, sql: `${file.sql}\n-- BY HAND: column public.orders.wrap text\n` };
  expect(findUnfinished([unfinished, ...others])).toEqual([
    `${file.name} has lines "-- BY HAND": write what they name, then delete them.`,
  ]);
  expect(findUnfinished([file, ...others])).toEqual([]);
});

test('a database says which release it is at, and what it has besides', () => {
  const times = Object.keys(invented.migrations).map((file) => file.slice(0, 14));
  const [last = ''] = times.slice(-1);
  expect(describeVersion([invented], times)).toBe('at 9.0.0');
  expect(describeVersion([invented], [...times, '29990101000000'])).toBe(
    'at 9.0.0 and 1 later migration, the last 29990101000000',
  );
  expect(describeVersion([], times)).toBe(`at migration ${last}, of no release`);
  expect(describeVersion([invented], [])).toBe('at no migration');
});

test('each release has the migrations of its commit', async ({ skip }) => {
  for (const { version, commit, migrations } of await readReleases()) {
    if (!hasCommit(commit))
      skip(`This clone has no commit ${commit}, of ${version}: fetch the whole history.`);
    await rm(join(copy, 'supabase'), { recursive: true });
    extractSources(commit, copy, ['package.json', 'supabase/migrations']);
    const { version: named } = JSON.parse(
      await readFile(join(copy, 'package.json'), 'utf8'),
    ) as typeof packageJson;
    expect([named, await readMigrationChecksums(copy)]).toEqual([version, migrations]);
  }
});

test('the changelog begins with this version, and each section with what breaks', async () => {
  const changelog = await readFile('CHANGELOG.md', 'utf8');
  const [newest = ''] = changelog.split(/^## /mu).slice(1);
  expect(newest).toMatch(new RegExp(`^(?:${packageJson.version} \\(|Unreleased\\n)`, 'u'));
  expect(newest.split(/^### /mu)[1]).toMatch(/^Breaking\n/u);
});
