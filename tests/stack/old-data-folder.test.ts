import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { prepareDataFolder, type DataFolder } from '#local/data-folder/data-folder.ts';
import { writeJson } from '#local/data-folder/files.ts';
import { createDatabase, type Database } from '#local/emulators/supabase/database/open-database.ts';
import {
  readMigrationChecksums,
  readReleases,
  timeOf,
  type Checksums,
} from '#local/shared/releases.ts';
import { databaseEnvironment } from '#local/stack/environment.ts';

/* A data folder of a release whose migrations the baseline of this checkout replaces. Both make the same database. */
let root: string;
let folder: DataFolder;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'shop-folder-'));
  folder = await prepareDataFolder(join(root, 'data'));
  const secrets = {
    jwtSecret: 'c'.repeat(40),
    publishableKey: `sb_publishable_${'a'.repeat(48)}`,
    secretKey: `sb_secret_${'b'.repeat(48)}`,
  };
  const settings = databaseEnvironment('http://localhost', secrets, folder.database);
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

const open = (): Promise<Database> => createDatabase(folder, async () => Promise.resolve(null));
const readApplied = async (database: Database): Promise<string[]> =>
  (
    await database.query<{ version: string }>(
      'select version from supabase_migrations.schema_migrations order by version',
    )
  ).map(({ version }) => version);

const releases = await readReleases();
const old = releases.findLast(({ baseline }) => baseline !== undefined);
const own = old?.baseline?.file ?? '';
const current = await readMigrationChecksums();
/** What a folder of the old release had, with the later migrations of this checkout. */
const oldRecord: Checksums = {
  ...old?.migrations,
  ...Object.fromEntries(Object.entries(current).filter(([file]) => file !== own)),
};

test('it starts: its history has the baseline, and nothing is applied again', async () => {
  const first = await open();
  expect(await first.migrate()).toBeGreaterThan(0);
  for (const file of Object.keys(old?.migrations ?? {}).filter(
    (one) => timeOf(one) !== timeOf(own),
  ))
    await first.query(
      `insert into supabase_migrations.schema_migrations (version, name) values ($1, $2)`,
      timeOf(file),
      file.slice(15, -4),
    );
  expect((await readApplied(first)).length).toBe(Object.keys(oldRecord).length);
  await first.close();
  await writeJson(folder.migrations, { version: '1.3.2', migrations: oldRecord });

  const second = await open();
  expect(await second.migrate()).toBe(0);
  expect(await readApplied(second)).toEqual(Object.keys(current).map(timeOf));
  await second.close();
  expect(JSON.parse(await readFile(folder.migrations, 'utf8'))).toMatchObject({
    migrations: current,
  });
});

test('one that is older than the baseline is left alone, with the version to start first', async () => {
  const [oldest] = releases;
  await writeJson(folder.migrations, { version: '1.0.0', migrations: oldest?.migrations });
  await expect(open()).rejects.toThrow(
    `${folder.root} is older than ${old?.version ?? ''}. Upgrade to ${old?.version ?? ''} first`,
  );
});

test('one whose migrations were edited before the baseline is not taken', async () => {
  const [first = ''] = Object.keys(oldRecord);
  const migrations = { ...oldRecord, [first]: 'edited' };
  await writeJson(folder.migrations, { version: '1.3.2', migrations });
  await expect(open()).rejects.toThrow(
    `unreleased state of this shop (${first} has changed since)`,
  );
});
