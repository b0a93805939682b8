import { sqlSettings } from '#settings/sql-settings.ts';

/** Writes the settings of this checkout into a migrated database, as each deploy does. */
export async function writeSettings({
  query,
}: {
  query: (sql: string, ...values: readonly unknown[]) => Promise<unknown>;
}): Promise<void> {
  const columns = Object.keys(sqlSettings);
  const args = columns.map((column, at) => `p_${column} => $${String(at + 1)}`).join(', ');
  await query(`select public.set_shop_settings(${args})`, ...Object.values(sqlSettings));
}
