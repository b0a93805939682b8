/** What is needed of a database here. */
interface Engine {
  query: (sql: string) => Promise<{ rows: unknown[] }>;
  exec: (sql: string) => Promise<unknown>;
}

interface Table {
  name: string;
  /** Columns that can be written. */
  columns: string;
}

/** Keeps a copy of every row. Returns what empties all tables, starts their numbers anew and puts the copies back. */
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
    `truncate ${tables.map(({ name }) => name).join(', ')} restart identity`,
    // The copies are put back as they are: no trigger fires, no other row is looked at.
    'set session_replication_role = replica',
    ...filled.map(
      ({ name, columns, copy }) =>
        `insert into ${name} (${columns}) overriding system value select * from ${copy}`,
    ),
    'set session_replication_role = origin',
  ].join(';\n');
  return async () => {
    await engine.exec(restore);
  };
}
