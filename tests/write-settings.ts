import { sqlSettings } from '#settings/sql-settings.ts';

const args = Object.entries(sqlSettings)
  .map(([column, value]) => `p_${column} => '${value}'`)
  .join(', ');

/** Writes the settings as a deploy does. The tests of upgrades run on older databases, which have none. */
export const settingsStatement = `do $$ begin
  if to_regclass('public.shop_settings') is not null then perform public.set_shop_settings(${args}); end if;
end $$`;
