import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { readJson, writeJson } from '../data-folder/files.ts';
import { projectRoot } from '../shared/settings.ts';
import { StartError } from '../shared/start-error.ts';

const migrationsDir = join(projectRoot, 'supabase/migrations');
/** SHA-256 by file name. */
const recordSchema = z.record(z.string(), z.string());

/**
 * Checks that this checkout has the migrations that made the data folder's database, and records those it is
 * about to apply. Throws StartError for data of a newer version, or of one whose migrations were edited since: applying
 * ours on top would break it.
 */
export async function checkMigrations(folder: DataFolder): Promise<void> {
  const files = (await readdir(migrationsDir)).filter((file) => file.endsWith('.sql'));
  const ours: Record<string, string> = {};
  for (const file of files)
    ours[file] = createHash('sha256')
      .update(await readFile(join(migrationsDir, file)))
      .digest('hex');

  const applied = await readJson(folder.migrations, recordSchema);
  const isEmpty = await readdir(folder.database).then(
    (names) => names.length === 0,
    () => true,
  );
  const unknown = Object.keys(applied ?? {}).find((file) => !(file in ours));
  const edited = Object.entries(applied ?? {}).find(
    ([file, hash]) => file in ours && ours[file] !== hash,
  );
  const ways = 'set SHOP_DATA_DIR to another folder, or empty this one with `npm run reset`.';
  if (unknown !== undefined) {
    throw new StartError(
      `The data in ${folder.root} was written by a newer version of this shop (${unknown}): update this checkout, ${ways}`,
    );
  }
  if (edited || (!applied && !isEmpty)) {
    const which = edited ? `${edited[0]} has changed since` : 'it does not say which';
    throw new StartError(
      `The data in ${folder.root} was written by another version of this shop (${which}): ${ways}`,
    );
  }
  await writeJson(folder.migrations, ours);
}
