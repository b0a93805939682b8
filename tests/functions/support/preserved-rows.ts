/** The part of a database that is needed here. */
interface Engine {
  query: (sql: string) => Promise<{ rows: unknown[] }>;
  exec: (sql: string) => Promise<unknown>;
}

interface Table {
  name: string;
  /** Columns that can be written. */
  columns: string;
}

/**
 * Copies every row. The returned function empties all tables, restarts their sequences and inserts the copies again; it throws
 * when an SQL function has changed since.
 */
export async function preserveRows(engine: Engine): Promise<() => Promise<void>> {
  const { rows } = await engine.query(
    `select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
     group by c.oid`,
  );
  const tables = rows as Table[];
  await engine.exec('create schema preserved');
  const filled: (Table & { copy: string })[] = [];
  for (const [index, table] of tables.entries()) {
    const found = await engine.query(`select 1 from ${table.name} limit 1`);
    if (found.rows.length === 0) continue;
    const copy = `preserved.rows_${String(index)}`;
    await engine.exec(`create table ${copy} as select ${table.columns} from ${table.name}`);
    filled.push({ ...table, copy });
  }
  const restore = [
    // Foreign keys and triggers are off. Deleting costs a tenth of truncating, which makes new files for each table.
    'set session_replication_role = replica',
    ...tables.map(({ name }) => `delete from ${name}`),
    `select setval(s.seqrelid::regclass, s.seqstart, false) from pg_sequence s`,
    ...filled.map(
      ({ name, columns, copy }) =>
        `insert into ${name} (${columns}) overriding system value select * from ${copy}`,
    ),
    'set session_replication_role = origin',
  ].join(';\n');
  const functionsOf = async (): Promise<unknown> =>
    (
      await engine.query(
        `select md5(string_agg(p.proname || p.prosrc, '' order by p.oid)) as functions
         from pg_proc p where p.pronamespace::regnamespace::text in ('public', 'private')`,
      )
    ).rows;
  const before = JSON.stringify(await functionsOf());
  return async () => {
    await engine.exec(restore);
    // Files share a database, and would fail or pass by their order.
    if (JSON.stringify(await functionsOf()) !== before)
      throw new Error('A test file before this one changed an SQL function and did not restore it');
  };
}
