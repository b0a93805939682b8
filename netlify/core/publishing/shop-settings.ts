import * as z from 'zod/mini';
import { sqlSettings } from '#settings/sql-settings.ts';
import { callFunction } from '#core/platform/database.ts';

/** Writes the settings of this deploy into the database. Returns whether that changed them. */
export async function writeShopSettings(): Promise<boolean> {
  const args = Object.fromEntries(
    Object.entries(sqlSettings).map(([column, value]) => [`p_${column}`, value]),
  );
  return callFunction('set_shop_settings', args, z.boolean());
}
