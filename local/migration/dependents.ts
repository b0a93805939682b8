import type { Database, Description } from '#local/shared/describe-database.ts';

/** By object, what PostgreSQL refuses to leave when that object is dropped. Names are those of a description. */
export type Dependents = ReadonlyMap<string, readonly string[]>;

const named = `
  select 'pg_proc'::regclass as classid, oid as objid, 'function ' || oid::regprocedure as name from pg_proc
    where pronamespace::regnamespace::text in ('public', 'private')
  union all select 'pg_class'::regclass, oid, 'view ' || oid::regclass from pg_class where relkind in ('v', 'm')
  -- A function that takes or returns rows of a view depends on the type of the row, or of an array of rows.
  union all select 'pg_type'::regclass, t.oid, 'view ' || c.oid::regclass from pg_class c join pg_type t on c.reltype in (t.oid, t.typelem)
    where relkind in ('v', 'm')
  union all select 'pg_rewrite'::regclass, r.oid, 'view ' || ev_class::regclass from pg_rewrite r join pg_class c on c.oid = ev_class
    where relkind in ('v', 'm')
  union all select 'pg_policy'::regclass, oid, 'policy ' || polrelid::regclass || ': ' || polname from pg_policy
  union all select 'pg_trigger'::regclass, oid, 'trigger ' || tgrelid::regclass || ': ' || tgname from pg_trigger where not tgisinternal
  union all select 'pg_constraint'::regclass, oid, 'constraint ' || conrelid::regclass || ': ' || conname from pg_constraint where conrelid <> 0
  union all select 'pg_class'::regclass, oid, 'index ' || oid::regclass from pg_class where relkind = 'i'
  union all select 'pg_attrdef'::regclass, d.oid,
      case when attgenerated = '' then 'default ' else 'column ' end || adrelid::regclass || '.' || attname
    from pg_attrdef d join pg_attribute a on attrelid = adrelid and attnum = adnum`;

/** Reads the dependents of each function and view. */
export async function readDependents(database: Database): Promise<Dependents> {
  await database.run(`set search_path = ''`);
  try {
    const rows = await database.query<{ object: string; dependents: string[] }>(
      `with named as (${named})
       select o.name as object, array_agg(distinct d.name) as dependents
       from pg_depend p
       join named o on (o.classid, o.objid) = (p.refclassid, p.refobjid)
       join named d on (d.classid, d.objid) = (p.classid, p.objid)
       where o.name <> d.name and (o.name like 'function %' or o.name like 'view %') group by o.name`,
    );
    return new Map(rows.map(({ object, dependents }) => [object, dependents]));
  } finally {
    await database.run('reset search_path');
  }
}

/** `function public.place_order` of `function public.place_order(uuid,uuid)`. */
export const withoutArguments = (object: string): string =>
  object.startsWith('function ') ? object.replace(/\(.*$/u, '') : object;

/**
 * The generated columns, constraints and indexes that store what a function returned, by itself or in another function that calls it:
 * PostgreSQL does not compute them anew when the text of the function changes.
 */
export function findStoredResults(
  name: string,
  dependents: Dependents,
  descriptions: readonly Description[],
): string[] {
  const functions = descriptions.flatMap((description) =>
    [...description].filter(([object]) => object.startsWith('function ')),
  );
  const callers = new Set([name]);
  // A set visits what is added while it is walked.
  for (const caller of callers) {
    const call = `${withoutArguments(caller).slice('function '.length)}(`;
    for (const [object, text] of functions)
      if (text.slice(text.indexOf('\n')).includes(call)) callers.add(object);
  }
  const stored = [...callers].flatMap((caller) =>
    (dependents.get(caller) ?? []).filter((one) => /^(?:column|constraint|index) /u.test(one)),
  );
  return [...new Set(stored)].sort();
}
