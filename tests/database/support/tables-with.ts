import type { Database } from '#local/shared/describe-database.ts';

/** Tables of the shop and of its accounts with a row in which this text is, as 'schema.name'. */
export async function tablesWith(database: Database, text: string): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'auth') order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query(
      `select 1 from ${name} t where t::text ilike $1`,
      `%${text}%`,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
