import * as z from 'zod/mini';
import { sqlSettings } from '#settings/sql-settings.ts';
import { callNewFunction } from '#core/platform/database.ts';

/** Writes the settings of this deploy into the database. Returns whether that changed them; false on one of release 1.1.0. */
export async function writeShopSettings(): Promise<boolean> {
  const args = Object.fromEntries(
    Object.entries(sqlSettings).map(([column, value]) => [`p_${column}`, value]),
  );
  return callNewFunction('set_shop_settings', args, z.boolean(), () => Promise.resolve(false));
}
