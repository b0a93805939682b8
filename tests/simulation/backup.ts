import type { World } from './world.ts';
import { shop } from '#settings/shop.ts';

/** A backup of the database, with what it cannot know: what people had read until then. */
export interface Backup {
  /** Rows of every table, as JSON: {table: rows}. */
  rows: string;
  /** {sequence: last value}; null for one that was never used. */
  sequences: Readonly<Record<string, number | null>>;
  /** When it was taken, by the database's clock of then. */
  at: string;
  /** Simulated seconds until then. */
  passed: number;
  stockEdits: ReadonlyMap<string, number>;
  told: World['memory']['told'];
  /** The numbers that `issuedNumbers` found. */
  numbers: ReadonlySet<string>;
  /** Dedupe keys of all mails in it. */
  mails: ReadonlySet<string>;
  orders: ReadonlySet<number>;
}

/** Numbers that a customer or the accountant has in hands: of paid orders, of invoices and of credit notes. */
export async function issuedNumbers({ database }: World): Promise<Set<string>> {
  const rows = await database.sql<{ number: string }>(
    `select 'order ' || id as number from public.orders where payment_id is not null
     union all select number from public.invoices union all select number from public.credit_notes`,
  );
  return new Set(rows.map(({ number }) => number));
}

/** Tables with the columns that can be written. */
const tablesOf = ({ database }: World): Promise<{ name: string; columns: string }[]> =>
  database.sql(
    `select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by c.relname order by c.relname`,
  );

export async function takeBackup(world: World): Promise<Backup> {
  const tables = await tablesOf(world);
  const pairs = tables.map(
    ({ name }) => `'${name}', (select jsonb_agg(to_jsonb(t)) from public.${name} t)`,
  );
  const [row] = await world.database.sql<Pick<Backup, 'rows' | 'sequences' | 'at'>>(
    `select jsonb_strip_nulls(jsonb_build_object(${pairs.join(', ')}))::text as rows, clock_timestamp()::text as at,
       (select jsonb_object_agg(sequencename, last_value) from pg_sequences where schemaname = 'public') as sequences`,
  );
  if (!row) throw new Error('The database has no state');
  const [known] = await world.database.sql<{ mails: string[]; orders: number[] }>(
    `select (select coalesce(jsonb_agg(dedupe_key), '[]') from public.outbox) as mails,
       (select coalesce(jsonb_agg(id), '[]') from public.orders) as orders`,
  );
  return {
    ...row,
    passed: world.database.passed(),
    stockEdits: new Map(world.stockEdits),
    told: [...world.memory.told],
    numbers: await issuedNumbers(world),
    mails: new Set(known?.mails),
    orders: new Set(known?.orders),
  };
}

/** Writes a backup over the database, as psql does: no trigger fires, and the sequences are those of then. */
async function readIn({ database }: World, { rows, sequences, passed }: Backup): Promise<void> {
  await database.sql('set session_replication_role = replica');
  for (const { name, columns } of await tablesOf({ database } as World)) {
    await database.sql(`delete from public.${name}`);
    await database.sql(
      `insert into public.${name} (${columns}) overriding system value
       select ${columns} from jsonb_populate_recordset(null::public.${name}, $1::jsonb -> '${name}')`,
      rows,
    );
  }
  await database.sql('set session_replication_role = origin');
  for (const [name, value] of Object.entries(sequences))
    await database.sql(`select setval('public.${name}', $1, $2)`, value ?? 1, value !== null);
  await database.age(database.passed() - passed);
}

/** The highest number of a series, which the admin finds in the sent mails and in the accountant's files. */
function lastOf(prefix: string, numbers: readonly string[]): string | null {
  const ofSeries = numbers.filter((number) => number.startsWith(prefix));
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  return (
    ofSeries
      .toSorted(compare)
      .at(-1)
      ?.slice(prefix === 'order ' ? prefix.length : 0) ?? null
  );
}

/**
 * The database is lost and comes back as it was at the backup; then the admin does what the guide says. Mails that were sent
 * since then may be sent again, but for what the backup has or promises: its own mails, and the two of each order.
 */
export async function restoreBackup(world: World, backup: Backup): Promise<void> {
  const { database, mail, memory, stockEdits } = world;
  const kept = new Set([
    ...backup.numbers,
    ...[...backup.orders].map((id) => `order ${String(id)}`),
  ]);
  for (const number of await issuedNumbers(world))
    if (!kept.has(number)) memory.lostNumbers.add(number);
  // Orders that an earlier restore lost are in the mails all the same.
  const numbers = [...kept, ...memory.lostNumbers];
  for (const key of mail.sent.keys()) {
    const [, order = ''] = /^order_(?:confirmation|notice):(\d+)$/u.exec(key) ?? [];
    if (!backup.mails.has(key) && !backup.orders.has(Number(order))) mail.sent.delete(key);
  }

  await readIn(world, backup);
  await database.sql(
    `select public.after_restore($1::timestamptz - make_interval(secs => $2), $3, $4, $5)`,
    backup.at,
    database.passed() - backup.passed,
    lastOf('order ', numbers) ?? 0,
    lastOf(`${shop.prefixes.invoice}/`, numbers),
    lastOf(`${shop.prefixes.creditNote}/`, numbers),
  );
  await world.logIn();

  stockEdits.clear();
  for (const [product, change] of backup.stockEdits) stockEdits.set(product, change);
  memory.told.splice(0, memory.told.length, ...backup.told);
  const marked = await database.sql<{ key: string }>(
    'select dedupe_key as key from public.outbox where sent_at is not null',
  );
  for (const { key } of marked) if (!mail.sent.has(key)) memory.countedAsSent.add(key);
}
