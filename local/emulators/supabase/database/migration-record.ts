import { readdir } from 'node:fs/promises';
import * as z from 'zod';
import { version } from '#core/platform/version.ts';
import type { DataFolder } from '#local/data-folder/data-folder.ts';
import { readHistory } from '#local/shared/migration-history.ts';
import { readJson, writeJson } from '#local/data-folder/files.ts';
import {
  describeGap,
  foldHistory,
  planRepair,
  replacedFiles,
} from '#local/shared/migration-history.ts';
import {
  checksumsSchema,
  readMigrationChecksums,
  readReleases,
  timeOf,
  type Checksums,
} from '#local/shared/releases.ts';
import { StartError } from '#local/shared/start-error.ts';

/** The migrations that a data folder's database has, and the version that applied the last of them. */
const recordSchema = z.object({ version: z.string(), migrations: checksumsSchema });

/**
 * Checks that the migrations of the data folder's database are among those of this checkout, or all replaced by its baseline, so that
 * it may apply what is missing. Returns what records them as applied. Throws StartError for data of a newer version, of one that is
 * too old, or of an unreleased state whose migrations were edited since: applying ours on top would break it.
 */
export async function checkMigrations(folder: DataFolder): Promise<() => Promise<void>> {
  const migrations = await readMigrationChecksums();
  const record = async (): Promise<void> => writeJson(folder.migrations, { version, migrations });

  const releases = await readReleases();
  const replaced = replacedFiles(releases);
  const released: Checksums = Object.fromEntries(
    releases.flatMap((one) => Object.entries(one.migrations)),
  );
  const kept = await readJson(folder.migrations, recordSchema);
  const isEmpty = await readdir(folder.database).then(
    (names) => names.length === 0,
    () => true,
  );
  const ways = 'set SHOP_DATA_DIR to another folder, or empty this one with `npm run reset`.';
  const unknown = Object.keys(kept?.migrations ?? {}).find(
    (file) => !(file in migrations) && !replaced.has(file),
  );
  if (kept && unknown !== undefined) {
    throw new StartError(
      `The data in ${folder.root} was written by a newer version of this shop (${kept.version}, ${unknown}) than ${version}: update this checkout, restore a backup of ${version} into another folder (npm run restore -- FILE --embedded), ${ways}`,
    );
  }
  const edited = Object.entries(kept?.migrations ?? {}).find(
    ([file, hash]) => (migrations[file] ?? released[file]) !== hash,
  );
  if (edited || (!kept && !isEmpty)) {
    const which = edited ? `${edited[0]} has changed since` : 'it does not say which';
    throw new StartError(
      `The data in ${folder.root} was written by an unreleased state of this shop (${which}): ${ways}`,
    );
  }
  const { gap } = foldHistory(releases, Object.keys(kept?.migrations ?? {}).map(timeOf));
  if (gap) throw new StartError(`${describeGap(`The data in ${folder.root}`, gap)} Or ${ways}`);
  // It is written before the first file runs, so that the next start finishes one that was interrupted.
  if (isEmpty) await record();
  return record;
}

/**
 * Puts the baseline into the history of a database that has what it replaces, as `supabase migration repair` does for a live shop.
 */
export async function repairHistory(
  query: <Row>(sql: string, ...values: readonly unknown[]) => Promise<Row[]>,
): Promise<void> {
  const repair = planRepair(await readReleases(), await readHistory(query));
  if (repair === null) return;
  await query(
    `with gone as (delete from supabase_migrations.schema_migrations where version = any ($1))
     update supabase_migrations.schema_migrations set name = 'baseline' where version = any ($2)`,
    repair.reverted,
    repair.applied,
  );
}
