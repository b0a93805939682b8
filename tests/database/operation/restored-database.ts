import { Readable } from 'node:stream';
import type { BackupRecord, ShopRecord } from '#local/backup/backup-file.ts';
import { readRows, replaceRows } from '#local/backup/database-rows.ts';
import type { ShopDatabase } from '#tests/database/support/shop-database.ts';

/** Fills a newly migrated database with the rows of another one, as `npm run backup` and `npm run restore` do. */
export async function restoreFrom(from: ShopDatabase, to: ShopDatabase): Promise<void> {
  const records: BackupRecord[] = [];
  for await (const record of readRows(from)) records.push(record);
  const shop = records.find((record): record is ShopRecord => record.kind === 'shop');
  if (!shop) throw new Error('The backup does not say what is in it');
  await to.query('begin');
  await replaceRows(to, shop, Readable.from(records));
  await to.query('commit');
}
