/** A connection of the database's admin, past every policy. */
export interface Database {
  query: <Row = Record<string, unknown>>(
    sql: string,
    ...values: readonly unknown[]
  ) => Promise<Row[]>;
  /** Runs several statements without values. */
  run: (sql: string) => Promise<unknown>;
}

/**
 * What a database has: an object's kind and name, such as `column public.orders.id`, and its definition as text. Its comment and its
 * rights are objects of their own, `comment column public.orders.id` and `rights table public.orders`.
 */
export type Description = ReadonlyMap<string, string>;

/*
 * One query for each kind of object, with the columns `name` and `text`. They cover the schemas of the shop, and what it adds to
 * those of Supabase: triggers on auth.users and rows of storage.buckets.
 */
const ours = `('public', 'private')`;
const withTriggers = `('public', 'private', 'auth', 'storage')`;

/** The rights on an object, one line each. Without any grant or revoke, PostgreSQL stores null for the defaults. */
const rights = (acl: string, kind: string, owner: string): string => `coalesce((
  select string_agg(grantee || ' may ' || lower(privilege_type) || case when is_grantable then ' and grant it' else '' end, E'\\n'
    order by grantee, privilege_type)
  from (select case when x.grantee = 0 then 'everyone' else x.grantee::regrole::text end as grantee, privilege_type, is_grantable
    from aclexplode(coalesce(${acl}, acldefault('${kind}', ${owner}))) x) given
), 'nobody may use it')`;

/** What a relation of this kind (pg_class.relkind) calls its columns. A table's are data, which only a migration by hand changes. */
const columnKind = `case c.relkind when 'c' then 'attribute' when 'v' then 'view-column' when 'm' then 'view-column' else 'column' end`;
const relationKind = `case relkind when 'v' then 'view' when 'm' then 'view' when 'S' then 'sequence' else 'table' end`;

/** The definitions, by kind. */
const queries: Readonly<Record<string, string>> = {
  schema: `select nspname as name, 'owner ' || nspowner::regrole as text from pg_namespace where nspname in ${ours}`,
  'default privileges': `select case defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' else defaclobjtype::text end || ' in ' || coalesce(n.nspname, 'every schema') as name, ${rights('defaclacl', 'r', 'defaclrole')} as text
    from pg_default_acl left join pg_namespace n on n.oid = defaclnamespace where defaclrole = 'postgres'::regrole`,
  table: `select oid::regclass::text as name, concat_ws(E'\\n', 'owner ' || relowner::regrole,
      'row level security ' || case when relrowsecurity then 'on' else 'off' end || case when relforcerowsecurity then ', also for the owner' else '' end) as text
    from pg_class where relnamespace::regnamespace::text in ${ours} and relkind in ('r', 'p')`,
  view: `select oid::regclass::text as name, concat_ws(E'\\n', 'owner ' || relowner::regrole, reloptions::text, pg_get_viewdef(oid)) as text
    from pg_class where relnamespace::regnamespace::text in ${ours} and relkind in ('v', 'm')`,
  // PostgreSQL 18 lists "not null" here too, which is compared with the column.
  constraint: `select conrelid::regclass || ': ' || conname as name, pg_get_constraintdef(k.oid) || case when convalidated then '' else ' not valid' end as text
    from pg_constraint k where connamespace::regnamespace::text in ${ours} and conrelid <> 0 and contype <> 'n'`,
  // An index of a constraint is compared with the constraint.
  index: `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) || case when indisvalid then '' else ' invalid' end as text
    from pg_index i join pg_class c on c.oid = indexrelid where c.relnamespace::regnamespace::text in ${ours}
      and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))`,
  policy: `select schemaname || '.' || tablename || ': ' || policyname as name, concat_ws(E'\\n', permissive, 'for ' || lower(cmd), 'to ' || roles::text,
      'using ' || qual, 'with check ' || with_check) as text
    from pg_policies where schemaname in ${withTriggers}`,
  function: `select oid::regprocedure::text as name, concat_ws(E'\\n', pg_get_functiondef(oid), 'owner ' || proowner::regrole) as text
    from pg_proc where pronamespace::regnamespace::text in ${ours} and prokind in ('f', 'p')`,
  trigger: `select tgrelid::regclass || ': ' || tgname as name, pg_get_triggerdef(t.oid) || case when tgenabled = 'O' then '' else ' ' || tgenabled::text end as text
    from pg_trigger t join pg_class c on c.oid = tgrelid where not tgisinternal and c.relnamespace::regnamespace::text in ${withTriggers}`,
  type: `select t.oid::regtype::text as name, concat_ws(E'\\n', typtype::text, 'owner ' || typowner::regrole,
      (select string_agg(enumlabel, ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid), format_type(nullif(typbasetype, 0), typtypmod),
      (select string_agg(pg_get_constraintdef(k.oid), ', ' order by conname) from pg_constraint k where contypid = t.oid)) as text
    from pg_type t left join pg_class c on c.oid = typrelid
    where typnamespace::regnamespace::text in ${ours} and (typtype in ('e', 'd', 'r') or c.relkind = 'c')`,
  sequence: `select seqrelid::regclass::text as name, concat_ws(E'\\n', 'owner ' || relowner::regrole, format_type(seqtypid, null),
      'from ' || seqstart || ' by ' || seqincrement || ', ' || seqmin || ' to ' || seqmax || ', cache ' || seqcache || case when seqcycle then ', cycles' else '' end) as text
    from pg_sequence join pg_class c on c.oid = seqrelid where relnamespace::regnamespace::text in ${ours}`,
  extension: `select extname as name, extversion as text from pg_extension`,
  bucket: `select id as name, to_jsonb(b)::text as text from storage.buckets b`,
};

/** The definitions whose name begins with their kind. */
const kindedQueries: readonly string[] = [
  // Columns are compared by name: a later migration appends its column, a schema file has it where it reads best.
  `select ${columnKind} || ' ' || attrelid::regclass || '.' || attname as name, concat_ws(E'\\n', format_type(atttypid, atttypmod),
      case when attnotnull then 'not null' end, case attgenerated when 's' then 'stored' when 'v' then 'virtual' end,
      case attidentity when 'a' then 'identity always' when 'd' then 'identity by default' end,
      (select 'default ' || pg_get_expr(adbin, adrelid) from pg_attrdef d where d.adrelid = a.attrelid and d.adnum = a.attnum)) as text
    from pg_attribute a join pg_class c on c.oid = attrelid
    where c.relnamespace::regnamespace::text in ${ours} and c.relkind in ('r', 'p', 'v', 'm', 'c') and attnum > 0 and not attisdropped`,
  `select 'comment schema ' || nspname as name, obj_description(oid, 'pg_namespace') as text from pg_namespace where nspname in ${ours}
   union all select 'comment ' || ${relationKind} || ' ' || oid::regclass, obj_description(oid, 'pg_class')
     from pg_class where relnamespace::regnamespace::text in ${ours} and relkind in ('r', 'p', 'v', 'm', 'S')
   union all select 'comment function ' || oid::regprocedure, obj_description(oid, 'pg_proc')
     from pg_proc where pronamespace::regnamespace::text in ${ours} and prokind in ('f', 'p')
   union all select 'comment column ' || attrelid::regclass || '.' || attname, col_description(attrelid, attnum)
     from pg_attribute a join pg_class c on c.oid = attrelid
     where c.relnamespace::regnamespace::text in ${ours} and c.relkind in ('r', 'p', 'v', 'm', 'c') and attnum > 0 and not attisdropped`,
  `select 'rights schema ' || nspname as name, ${rights('nspacl', 'n', 'nspowner')} as text from pg_namespace where nspname in ${ours}
   union all select 'rights ' || ${relationKind} || ' ' || oid::regclass,
       case relkind when 'S' then ${rights('relacl', 's', 'relowner')} else ${rights('relacl', 'r', 'relowner')} end
     from pg_class where relnamespace::regnamespace::text in ${ours} and relkind in ('r', 'p', 'v', 'm', 'S')
   union all select 'rights function ' || oid::regprocedure, ${rights('proacl', 'f', 'proowner')}
     from pg_proc where pronamespace::regnamespace::text in ${ours} and prokind in ('f', 'p')
   union all select 'rights column ' || attrelid::regclass || '.' || attname, ${rights('attacl', 'c', 'c.relowner')}
     from pg_attribute a join pg_class c on c.oid = attrelid
     where attacl is not null and c.relnamespace::regnamespace::text in ${ours} and attnum > 0 and not attisdropped`,
];

/** The rows of every table that migrations fill, without times and random values, as 'rows public.cost_limits'. */
async function readRows(database: Database): Promise<[string, string][]> {
  const tables = await database.query<{ name: string; changing: string[] | null }>(
    `select c.oid::regclass::text as name,
       array_agg(attname::text) filter (where atttypid = 'timestamptz'::regtype or pg_get_expr(adbin, adrelid) like '%gen_random_uuid%') as changing
     from pg_class c join pg_attribute a on attrelid = c.oid and attnum > 0 and not attisdropped
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = attnum
     where c.relnamespace::regnamespace::text in ${ours} and relkind = 'r' group by c.oid`,
  );
  const rows: [string, string][] = [];
  for (const { name, changing } of tables) {
    const [found] = await database.query<{ text: string | null }>(
      `select string_agg(line, E'\\n' order by line) as text from (select (to_jsonb(t) - $1::text[])::text as line from ${name} t) lines`,
      changing ?? [],
    );
    if (found?.text) rows.push([`rows ${name}`, found.text]);
  }
  return rows;
}

/** Describes everything that the shop has in a database, except the order of columns. */
export async function describeDatabase(database: Database): Promise<Description> {
  const described = new Map<string, string>();
  // Names with their schema, whatever is on the path.
  await database.run(`set search_path = ''`);
  try {
    for (const [kind, sql] of Object.entries(queries))
      for (const { name, text } of await database.query<{ name: string; text: string }>(sql))
        described.set(`${kind} ${name}`, text);
    for (const sql of kindedQueries)
      for (const { name, text } of await database.query<{ name: string; text: string | null }>(sql))
        if (text !== null) described.set(name, text);
    for (const [name, text] of await readRows(database)) described.set(name, text);
  } finally {
    await database.run('reset search_path');
  }
  return described;
}
