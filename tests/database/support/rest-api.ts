import type { Asker, Postgres } from './postgres.ts';

/** The database's answer to a request. */
export interface RestAnswer {
  /** The rows or the value; null when the request wants none. */
  data: unknown;
  /** SQLSTATE of the refusal. */
  code?: string;
}

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const listed = (text: string | null): string[] =>
  (text ?? '').split(',').filter((part) => part !== '');

/** Parameters of an address that are no condition on a column. */
const reserved = new Set(['select', 'order', 'limit', 'offset', 'on_conflict', 'columns']);

/** `column=eq.value`, `column=gt.value`, `column=in.(a,b)`, `column=is.null` and `column=not.is.null` as a condition: all that the shop uses. */
function conditionsOf({ searchParams }: URL): string {
  const conditions = [...searchParams]
    .filter(([name]) => !reserved.has(name))
    .map(([name, value]) => {
      if (value === 'is.null') return `t.${identifier(name)} is null`;
      if (value === 'not.is.null') return `t.${identifier(name)} is not null`;
      const [, operator, operand = ''] = /^(eq|gt|in)\.(.*)$/su.exec(value) ?? [];
      if (operator === undefined)
        throw new Error(`The test's Data API does not know ${name}=${value}`);
      if (operator === 'eq') return `t.${identifier(name)} = ${literal(operand)}`;
      if (operator === 'gt') return `t.${identifier(name)} > ${literal(operand)}`;
      const items = listed(operand.slice(1, -1)).map((item) =>
        literal(item.replace(/^"(.*)"$/u, '$1')),
      );
      return `t.${identifier(name)} in (${items.join()})`;
    });
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
}

interface TableRequest {
  table: string;
  url: URL;
  method: string;
  prefer: string;
  body: string;
}

/** The statement that PostgREST makes of a request for a table. */
function statementOf({ table, url, method, prefer, body }: TableRequest, maxRows: number): string {
  const { searchParams } = url;
  const target = `public.${identifier(table)}`;
  const columns = searchParams.has('select')
    ? listed(searchParams.get('select'))
        .map((name) => `t.${identifier(name)}`)
        .join()
    : '*';
  const returning = prefer.includes('return=representation') ? ` returning ${columns}` : '';
  const [row] = body === '' ? [] : [JSON.parse(body) as unknown].flat();
  const given = Object.keys(Object(row) as object).map(identifier);
  const rows = `json_populate_recordset(null::${target}, ${literal(body.startsWith('[') ? body : `[${body}]`)}) new`;
  if (method === 'GET') {
    const order = listed(searchParams.get('order')).map((part) => {
      const [name = '', direction = 'asc'] = part.split('.');
      return `t.${identifier(name)} ${direction}`;
    });
    const limit = Math.min(maxRows, Number(searchParams.get('limit') ?? maxRows));
    const offset = Number(searchParams.get('offset') ?? 0);
    return `select ${columns} from ${target} t${conditionsOf(url)}${order.length > 0 ? ` order by ${order.join()}` : ''}
      limit ${String(limit)} offset ${String(offset)}`;
  }
  if (method === 'POST') {
    const key = listed(searchParams.get('on_conflict')).map(identifier);
    const conflict = prefer.includes('resolution=ignore-duplicates')
      ? ` on conflict (${key.join()}) do nothing`
      : '';
    return `insert into ${target} as t (${given.join()}) select ${given.join()} from ${rows}${conflict}${returning}`;
  }
  if (method === 'PATCH') {
    const changes = given.map((name) => `${name} = new.${name}`);
    return `update ${target} t set ${changes.join()} from ${rows}${conditionsOf(url)}${returning}`;
  }
  if (method === 'DELETE') return `delete from ${target} t${conditionsOf(url)}${returning}`;
  throw new Error(`The test's Data API does not know ${method}`);
}

/** Calls a function by the names of its arguments, with the types that it declares. */
async function callFunction(
  database: Postgres,
  asker: Asker,
  name: string,
  body: string,
): Promise<unknown> {
  const [found] = await database.query<{
    names: string[];
    types: string[];
    set: boolean;
    nothing: boolean;
  }>(
    `select proargnames as names, proretset as set, prorettype = 'void'::regtype as nothing,
       array(select format_type(t, null) from unnest(proargtypes) with ordinality u (t, n) order by n) as types
     from pg_proc where pronamespace = 'public'::regnamespace and proname = $1`,
    name,
  );
  const given = Object.keys(JSON.parse(body || '{}') as object);
  if (!found || given.some((argument) => !found.names.includes(argument))) {
    throw Object.assign(new Error(`No function ${name} (${given.join()})`), { code: 'PGRST202' });
  }
  const record = given.map(
    (argument) => `${argument} ${found.types[found.names.indexOf(argument)] ?? ''}`,
  );
  const source =
    given.length === 0 ? '' : `json_to_record(${literal(body)}) a (${record.join()}), `;
  const call = `public.${name}(${given.map((argument) => `${argument} => a.${argument}`).join()})`;
  const rows = await database.as<{ value: unknown }>(
    asker,
    `select to_jsonb(f) as value from ${source}lateral ${call} f`,
  );
  if (found.nothing) return null;
  return found.set ? rows.map(({ value }) => value) : rows[0]?.value;
}

/**
 * The Data API of a hosted project, as far as the shop uses it: makes the statement that PostgREST would make of a request
 * and runs it as `asker`, with that project's grants, policies and `max_rows`.
 */
export async function askRestApi(
  database: Postgres,
  asker: Asker,
  request: Request,
  maxRows: number,
): Promise<RestAnswer> {
  const url = new URL(request.url);
  const [, kind, name = ''] = /^\/rest\/v1\/(rpc\/)?(\w+)$/u.exec(url.pathname) ?? [];
  const body = await request.text();
  try {
    if (kind !== undefined) return { data: await callFunction(database, asker, name, body) };
    const { method } = request;
    const prefer = request.headers.get('prefer') ?? '';
    const rows = await database.as(
      asker,
      statementOf({ table: name, url, method, prefer, body }, maxRows),
    );
    return { data: method === 'GET' || prefer.includes('return=representation') ? rows : null };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefined) throw error;
    return { data: null, code };
  }
}
