import { readFile } from 'node:fs/promises';
import type { Database } from '../support/database.ts';

/** The tables of a backup, with the columns that are written. */
export const tablesOf = (database: Database): Promise<{ name: string; columns: string }[]> =>
  database.query(
    `select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and (c.relnamespace = 'public'::regnamespace or c.oid = 'auth.users'::regclass)
     group by c.oid order by 1`,
  );

/** What the guide's `psql` runs before it reads the file. */
async function commandsOfGuide(): Promise<string[]> {
  const guide = await readFile(new URL('../../../docs/going-live.md', import.meta.url), 'utf8');
  const block = /psql "\$NEW_DATABASE_URL"[\s\S]*?--file=shop\.sql/u.exec(guide)?.[0] ?? '';
  return [...block.matchAll(/--command=(["'])([\s\S]*?)\1(?=\s)/gu)].map(
    ([, , command]) => command ?? '',
  );
}

async function carryOver(from: Database, to: Database): Promise<void> {
  for (const { name, columns } of await tablesOf(from)) {
    const rows = await from.query<{ rows: string }>(
      `select coalesce(jsonb_agg(t), '[]')::text as rows from ${name} t`,
    );
    await to.query(
      `insert into ${name} (${columns}) overriding system value select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
      rows[0]?.rows,
    );
  }
  const sequences = await from.query<{ name: string; last: number | null }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value as last from pg_sequences where schemaname = 'public'`,
  );
  for (const { name, last } of sequences)
    if (last !== null) await to.query('select setval($1::regclass, $2)', name, last);
}

/**
 * Fills a newly migrated database as the guide's commands do. `pg_dump` is not among the binaries that the tests bring: the
 * rows are carried over as that does it, each table's and the next number of each sequence.
 */
export async function restoreFrom(from: Database, to: Database): Promise<void> {
  const commands = await commandsOfGuide();
  if (commands.length !== 2)
    throw new Error('docs/going-live.md has no longer two commands before the file');
  await to.run('begin');
  for (const command of commands) await to.run(command);
  await carryOver(from, to);
  await to.run('commit');
  await to.run('reset session_replication_role');
}
