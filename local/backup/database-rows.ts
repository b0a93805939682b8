import type { BackupRecord, BackupTable, ShopRecord } from './backup-file.ts';
import type { ShopData } from '#local/emulators/supabase/database/project.ts';
import { writeSettings } from '#local/shared/write-settings.ts';
import { StartError } from '#local/shared/start-error.ts';

type Database = Pick<ShopData, 'query'>;

const batchSize = 500;

/** The tables of the shop and its accounts, with the columns that can be written. */
const tablesOf = ({ query }: Database): Promise<BackupTable[]> =>
  query(
    `select format('%I.%I', n.nspname, c.relname) as name,
       json_agg(quote_ident(a.attname) order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r'
       and (n.nspname = 'public' or (n.nspname = 'auth' and c.relname in ('users', 'identities')))
     group by 1 order by 1`,
  );

/** The database as it is at one moment: what it holds, then the rows of every table. Nobody waits for it. */
export async function* readRows(database: Database): AsyncGenerator<BackupRecord> {
  const { query } = database;
  await query('begin isolation level repeatable read read only');
  try {
    const tables = await tablesOf(database);
    const [now] = await query<{ at: string }>('select clock_timestamp()::text as at');
    const sequences = await query<{ name: string; last: number | string | null }>(
      `select format('%I.%I', schemaname, sequencename) as name, last_value as last from pg_sequences where schemaname = 'public'`,
    );
    yield {
      kind: 'shop',
      format: 1,
      at: now?.at ?? '',
      tables,
      sequences: Object.fromEntries(
        sequences.map(({ name, last }) => [name, last === null ? null : Number(last)]),
      ),
    };
    for (const { name } of tables) yield* readTable(database, name);
  } finally {
    await query('rollback');
  }
}

async function* readTable({ query }: Database, table: string): AsyncGenerator<BackupRecord> {
  await query(
    `declare backup_rows no scroll cursor for select to_jsonb(t)::text as row from ${table} t`,
  );
  for (;;) {
    const rows = await query<{ row: string }>(`fetch ${String(batchSize)} from backup_rows`);
    if (rows.length > 0)
      yield {
        kind: 'rows',
        table,
        rows: `[${rows.map(({ row }) => row).join(',')}]`,
        count: rows.length,
      };
    if (rows.length < batchSize) break;
  }
  await query('close backup_rows');
}

/** The numbers that the shop issued since the backup, or at least not fewer: from the sent mails and the accountant's files. */
export interface LastNumbers {
  order: number;
  invoice: string | null;
  creditNote: string | null;
}

/** How many orders and accounts a database has: a restore replaces them. */
export async function countRows({
  query,
}: Database): Promise<{ orders: number; accounts: number }> {
  const [counts] = await query<{ orders: number; accounts: number }>(
    `select (select count(*)::int from public.orders) as orders, (select count(*)::int from auth.users) as accounts`,
  );
  return counts ?? { orders: 0, accounts: 0 };
}

/** Tables that migrations have dropped. A backup from before has rows of them, which no later version reads. */
const droppedTables = new Set(['public.own_cancellations', 'public.rate_limits']);

/** Throws StartError when the migrations of this database do not have all that the backup has. */
async function checkTables(database: Database, { tables }: ShopRecord): Promise<BackupTable[]> {
  const here = await tablesOf(database);
  const missing = tables.flatMap(({ name, columns }) => {
    const table = here.find((one) => one.name === name);
    // Accounts are Supabase's: a project of another age has other columns.
    if (name.startsWith('auth.')) return table ? [] : [name];
    if (!table && droppedTables.has(name)) return [];
    const known = new Set(table?.columns);
    return columns.filter((column) => !known.has(column)).map((column) => `${name}.${column}`);
  });
  if (missing.length > 0)
    throw new StartError(
      `The database has no ${missing.slice(0, 3).join(', ')}: apply the migrations of the version that made the backup, or of a newer one.`,
    );
  return here;
}

/**
 * Tables whose rows stay: those that the backup does not know and that refer to no other, because a newer migration filled them, and
 * the limits, which belong to the release and not to the shop.
 */
async function tablesToKeep({ query }: Database, { tables }: ShopRecord): Promise<Set<string>> {
  const rows = await query<{ name: string }>(
    `select format('%I.%I', c.relnamespace::regnamespace, c.relname) as name from pg_class c
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and not exists (select 1 from pg_constraint f where f.conrelid = c.oid and f.contype = 'f')`,
  );
  const known = new Set(tables.map(({ name }) => name));
  return new Set(
    rows
      .map(({ name }) => name)
      .filter((name) => !known.has(name) || name === 'public.cost_limits'),
  );
}

/**
 * Replaces all rows by those of a backup, within the transaction of the caller. No trigger fires: what they would do is in the
 * rows. A column that is newer than the backup gets its default, and a table of settings keeps its rows. Throws StartError.
 */
export async function replaceRows(
  database: Database,
  shop: ShopRecord,
  records: AsyncIterable<BackupRecord>,
): Promise<void> {
  const { query } = database;
  const here = await checkTables(database, shop);
  const columnsOf = (table: string): string => {
    const known = new Set(here.find(({ name }) => name === table)?.columns);
    const backedUp = shop.tables.find(({ name }) => name === table)?.columns ?? [];
    return backedUp.filter((column) => known.has(column)).join(', ');
  };
  await query('set local session_replication_role = replica');
  const kept = await tablesToKeep(database, shop);
  const own = here.filter(({ name }) => name.startsWith('public.') && !kept.has(name));
  await query(`truncate ${own.map(({ name }) => name).join(', ')}`);
  // `truncate` would fail: tables of Supabase's that this role may not touch refer to these.
  for (const { name } of here.filter((table) => table.name.startsWith('auth.')))
    await query(`delete from ${name} where true`);
  for await (const record of records) {
    if (record.kind !== 'rows' || kept.has(record.table)) continue;
    if (!here.some(({ name }) => name === record.table)) continue;
    const columns = columnsOf(record.table);
    await query(
      `insert into ${record.table} (${columns}) overriding system value
       select ${columns} from jsonb_populate_recordset(null::${record.table}, $1::jsonb)`,
      record.rows,
    );
  }
  for (const [name, value] of Object.entries(shop.sequences))
    if (value !== null) await query('select setval($1::regclass, $2)', name, value);
  await query('set local session_replication_role = origin');
}

/**
 * Compares the last numbers that were given with those of the backup, whose rows are in the database: a series never goes back.
 * Throws StartError.
 */
async function checkLastNumbers({ query }: Database, last: LastNumbers): Promise<void> {
  const [highest] = await query<{ order: number | null }>(
    'select max(id)::int as order from public.orders',
  );
  if (last.order < (highest?.order ?? 0))
    throw new StartError(
      `${String(last.order)} is too early. The last order in the backup is ${String(highest?.order)}. Give --last-order with that number, or with a later one that the shop issued.`,
    );
  const early = await query<{ option: string; title: string; kept: string }>(
    `select d.option, d.title, private.document_number(d.prefix, c.financial_year, c.last_serial) as kept
     from public.shop_settings s
     cross join lateral (values ('invoice', s.invoice_prefix, 'last-invoice', 'invoice', $1),
       ('credit_note', s.credit_note_prefix, 'last-credit-note', 'credit note', $2)) d (series, prefix, option, title, given)
     cross join lateral (
       select financial_year, last_serial from public.document_counters
       where series = d.series order by financial_year desc limit 1
     ) c
     left join lateral private.parse_document_number(d.series, d.given) n on true
     where (n.financial_year, n.serial) >= (c.financial_year, c.last_serial) is not true`,
    ...[last.invoice, last.creditNote],
  );
  const [first] = early;
  if (!first) return;
  const { option, title, kept } = first;
  const given = option === 'last-invoice' ? last.invoice : last.creditNote;
  throw new StartError(
    `${given === null ? `--${option} is missing.` : `${given} is too early.`} The last ${title} in the backup is ${kept}. Give --${option} with that number, or with a later one that the shop issued.`,
  );
}

/**
 * Replaces all rows, lets the numbers continue (SQL `after_restore`) and writes this checkout's settings: all of it, or nothing.
 * Throws StartError.
 */
export async function writeRows(
  database: Database,
  shop: ShopRecord,
  records: AsyncIterable<BackupRecord>,
  last: LastNumbers,
): Promise<void> {
  const { query } = database;
  await query('begin');
  try {
    await replaceRows(database, shop, records);
    await checkLastNumbers(database, last);
    await query(
      'select public.after_restore($1::timestamptz, $2, $3, $4)',
      ...[shop.at, last.order, last.invoice, last.creditNote],
    );
    await writeSettings(database);
    await query('commit');
  } catch (error) {
    await query('rollback');
    throw error;
  }
}
