import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const prefix = 'kasavu-test-database-';
const migrations = new URL('../../supabase/migrations/', import.meta.url);
const lite = new URL('../../node_modules/@supabase/lite/package.json', import.meta.url);
/** Longer than making a database takes on a busy machine; an older lock belongs to a process that died. */
const staleMs = 150_000;

/** Changes with every migration and with the database's own version. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update('with tables of storage').update(await readFile(lite));
  for (const file of (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort()) {
    hash.update(file).update(await readFile(new URL(file, migrations)));
  }
  return hash.digest('hex').slice(0, 16);
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function takeLock(path: string): Promise<boolean> {
  const made = await mkdir(path).then(
    () => true,
    () => false,
  );
  if (made) return true;
  const age = await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age > staleMs) await rm(path, { recursive: true, force: true });
  return false;
}

/**
 * A migrated, empty database as a file image. Making one takes seconds, loading one a moment, so the first test
 * file that needs it makes it for all the others and for the next runs, until a migration changes.
 */
export async function migratedImage(make: () => Promise<Blob>): Promise<Blob> {
  const path = join(tmpdir(), `${prefix}${await fingerprint()}.tar`);
  const lock = `${path}.lock`;
  while (!(await exists(path))) {
    if (!(await takeLock(lock))) {
      await wait(100);
      continue;
    }
    try {
      const image = Buffer.from(await (await make()).arrayBuffer());
      for (const name of await readdir(tmpdir())) {
        if (name.startsWith(prefix) && name.endsWith('.tar')) await rm(join(tmpdir(), name), { force: true });
      }
      await writeFile(`${path}.part`, image);
      await rename(`${path}.part`, path);
    } finally {
      await rm(lock, { recursive: true, force: true });
    }
  }
  return new Blob([await readFile(path)]);
}
