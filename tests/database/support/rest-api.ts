import type { Asker, Postgres } from './postgres.ts';

/** One request as the Data API got it, and what the database made of it. */
export interface RestAnswer {
  /** The rows or the value; null when the request asks for none. */
  data: unknown;
  /** SQLSTATE of the refusal. */
  code?: string;
}

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** `column=eq.value` and `column=in.(a,b)` as conditions: all that the shop asks with. */
function readConditions({ searchParams }: URL): string[] {
  const other = new Set(['select', 'order', 'limit', 'offset', 'on_conflict', 'columns']);
  return [...searchParams].filter(([name]) => !other.has(name)).map(([name, value]) => {
    const [, operator = '', operand = ''] = /^(eq|in)\.(.*)$/su.exec(value) ?? [];
    if (operator === 'eq') return `${identifier(name)} = ${literal(operand)}`;
    if (operator === 'in') return `${identifier(name)} in (${operand.slice(1, -1).split(',').map((item) => literal(item.replace(/^"(.*)"$/u, '$1'))).join()})`;
    throw new Error(`The test's Data API does not know ${name}=${value}`);
  });
}

const columnsOf = (url: URL): string => (url.searchParams.get('select') ?? '*').split(',').map((name) => (name === '*' ? name : identifier(name.replaceAll('"', '')))).join();
const where = (conditions: readonly string[]): string => (conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`);

/** The statement that PostgREST makes of a request for a table. */
function tableStatement(table: string, url: URL, { method, prefer, body }: { method: string; prefer: string; body: string }, maxRows: number): string {
  const target = `public.${identifier(table)}`;
  const returning = prefer.includes('return=representation') ? ` returning ${columnsOf(url)}` : '';
  const conditions = where(readConditions(url));
  const given = (): string => {
    const [row] = [JSON.parse(body) as unknown].flat();
    return Object.keys(Object(row) as object).map(identifier).join();
  };
  const source = `json_populate_recordset(null::${target}, ${literal(body.startsWith('[') ? body : `[${body}]`)})`;
  switch (method) {
    case 'GET': {
      const order = (url.searchParams.get('order') ?? '').split(',').filter(Boolean).map((part) => { const [name = '', direction = 'asc'] = part.split('.'); return `${identifier(name)} ${direction}`; });
      const limit = Math.min(maxRows, Number(url.searchParams.get('limit') ?? maxRows));
      return `select ${columnsOf(url)} from ${target}${conditions}${order.length > 0 ? ` order by ${order.join()}` : ''} limit ${String(limit)} offset ${String(Number(url.searchParams.get('offset') ?? 0))}`;
    }
    case 'POST': {
      const conflict = prefer.includes('resolution=ignore-duplicates') ? ` on conflict (${(url.searchParams.get('on_conflict') ?? '').split(',').map(identifier).join()}) do nothing` : '';
      return `insert into ${target} (${given()}) select ${given()} from ${source}${conflict}${returning}`;
    }
    case 'PATCH':
      return `update ${target} set (${given()}) = (select ${given().split(',').map((name) => `new.${name}`).join()} from ${source} new)${conditions}${returning}`.replace(/set \((\S+?)\)/u, (all, names: string) => (names.includes(',') ? all : `set ${names}`));
    case 'DELETE':
      return `delete from ${target}${conditions}${returning}`;
    default:
      throw new Error(`The test's Data API does not know ${method}`);
  }
}

/**
 * The Data API of a hosted project, as far as the shop asks it: makes the statement that PostgREST would make of a request
 * and runs it as `asker`, with that project's grants, policies and `max_rows`.
 */
export async function askRestApi(database: Postgres, asker: Asker, request: Request, maxRows: number): Promise<RestAnswer> {
  const url = new URL(request.url);
  const [, kind, name = ''] = /^\/rest\/v1\/(rpc\/)?(\w+)$/u.exec(url.pathname) ?? [];
  const body = await request.text();
  try {
    if (kind !== undefined) return { data: await callFunction(database, asker, name, body) };
    const prefer = request.headers.get('prefer') ?? '';
    const rows = await database.as(asker, tableStatement(name, url, { method: request.method, prefer, body }, maxRows));
    return { data: request.method === 'GET' || prefer.includes('return=representation') ? rows : null };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefined) throw error;
    return { data: null, code };
  }
}

/** A function by the names of its arguments, with the types that it declares. */
async function callFunction(database: Postgres, asker: Asker, name: string, body: string): Promise<unknown> {
  const [found] = await database.query<{ names: string[]; types: string[]; set: boolean; nothing: boolean }>(
    `select proargnames as names, proretset as set, prorettype = 'void'::regtype as nothing, array(select format_type(t, null) from unnest(proargtypes) with ordinality u (t, n) order by n) as types
     from pg_proc where pronamespace = 'public'::regnamespace and proname = $1`,
    name,
  );
  const given = Object.keys(JSON.parse(body || '{}') as object);
  if (!found || given.some((argument) => !found.names.includes(argument))) return Promise.reject(Object.assign(new Error(`No function ${name} (${given.join()})`), { code: 'PGRST202' }));
  const record = given.map((argument) => `${argument} ${found.types[found.names.indexOf(argument)] ?? ''}`);
  const source = given.length === 0 ? '' : `json_to_record(${literal(body)}) a (${record.join()}), `;
  const rows = await database.as<{ value: unknown }>(asker, `select to_jsonb(f) as value from ${source}lateral public.${name}(${given.map((argument) => `${argument} => a.${argument}`).join()}) f`);
  if (found.nothing) return null;
  return found.set ? rows.map(({ value }) => value) : rows[0]?.value;
}
