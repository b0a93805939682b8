import {
  checkBackup,
  readBackup,
  writeBackup,
  type BackupKey,
  type BackupRecord,
  type EndRecord,
} from './backup-file.ts';
import { countRows, readRows, writeRows, type LastNumbers } from './database-rows.ts';
import type { ShopData } from '#local/emulators/supabase/database/project.ts';
import { readFiles, writeFile } from './stored-files.ts';
import { StartError } from '#local/shared/start-error.ts';

async function* readShop({ query, storage }: ShopData): AsyncGenerator<BackupRecord> {
  let [rows, files] = [0, 0];
  for await (const record of readRows({ query })) {
    if (record.kind === 'rows') rows += record.count;
    yield record;
  }
  for await (const record of readFiles(storage)) {
    files += 1;
    yield record;
  }
  yield { kind: 'end', rows, files };
}

/**
 * Writes all that a shop has into one encrypted file, and reads it back, unless only the owner of a key pair can. Returns what
 * is in it. Throws StartError.
 */
export async function backUp(data: ShopData, file: string, key: BackupKey): Promise<Counts> {
  const counts = { rows: 0, files: 0 };
  async function* records(): AsyncGenerator<BackupRecord> {
    for await (const record of readShop(data)) {
      if (record.kind === 'end') Object.assign(counts, record);
      yield record;
    }
  }
  await writeBackup(file, key, records());
  if (key.recipient === undefined) await checkBackup(file, key);
  return counts;
}

/** How much a backup holds. */
type Counts = Pick<EndRecord, 'rows' | 'files'>;

interface Restore {
  key: BackupKey;
  last: LastNumbers;
  /** Whether it may overwrite a shop that has orders or accounts. */
  replace: boolean;
}

/**
 * Makes a migrated shop the one of the backup, which is read to its end before a row changes. Files that the backup does not
 * have stay. Returns what was in it. Throws StartError.
 */
export async function restore(
  data: ShopData,
  file: string,
  { key, last, replace }: Restore,
): Promise<Counts> {
  const { shop, end } = await checkBackup(file, key);
  const { orders, accounts } = await countRows(data);
  if (!replace && orders + accounts > 0)
    throw new StartError(
      `The database has ${String(orders)} orders and ${String(accounts)} accounts, which a restore would replace. With --replace it does.`,
    );
  await writeRows(data, shop, readBackup(file, key), last);
  await data.markFilled();
  for await (const record of readBackup(file, key))
    if (record.kind === 'file') await writeFile(data.storage, record);
  return end;
}
