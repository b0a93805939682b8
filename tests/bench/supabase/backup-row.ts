import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp, restore } from '#local/backup/back-up.ts';
import { connectToDataFolder } from '#local/backup/shop-data.ts';
import { connectToProject, type ShopData } from '#local/emulators/supabase/database/project.ts';

export const backupWant = 'the same orders, accounts, products and files';

/** Counts and checksums of what a backup holds. */
async function contentOf({ query, storage }: ShopData): Promise<string> {
  const rows = await query(
    `select (select count(*)::int from public.orders) as orders, (select sum(total_paise)::text from public.orders) as paise,
       (select count(*)::int from public.products) as products,
       (select md5(string_agg(u.id::text || coalesce(u.encrypted_password, ''), ',' order by u.id)) from auth.users u) as accounts`,
  );
  const files: string[] = [];
  for (const [bucket, folder] of [
    ['product-images', 'products'],
    ['claims', ''],
  ] as const) {
    const { data } = await storage.from(bucket).list(folder, { limit: 1_000 });
    files.push(...(data ?? []).map(({ name }) => `${bucket}/${name}`));
  }
  return JSON.stringify([rows, files.sort()]);
}

/** Backs a shop up, empties it and restores it, while nothing serves it. */
export async function backUpAndRestore(env: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-backup-'));
  const file = join(folder, 'shop.backup.age');
  const key = { passphrase: 'amber brass coral lotus', recipient: undefined, identity: undefined };
  if (env['SHOP_DATA_DIR'] !== undefined) process.env['SHOP_DATA_DIR'] = env['SHOP_DATA_DIR'];
  const data =
    env['SHOP_DATA_DIR'] === undefined ? await connectToProject(env) : await connectToDataFolder();
  try {
    const before = await contentOf(data);
    await backUp(data, file, key);
    await data.query(`delete from public.wishlists where true`);
    await data.query(`update public.products set name = 'Lost' where true`);
    const last = { order: 5_000, invoice: null, creditNote: null };
    await restore(data, file, { key, last, replace: true });
    const after = await contentOf(data);
    const [changed] = await data.query<{ count: number }>(
      `select count(*)::int as count from public.products where name = 'Lost'`,
    );
    if (before !== after) return `before ${before}, after ${after}`;
    return changed?.count === 0 ? backupWant : 'names were not restored';
  } catch (error) {
    return `failed: ${String(error)}`;
  } finally {
    await data.close();
    await rm(folder, { recursive: true, force: true });
  }
}
