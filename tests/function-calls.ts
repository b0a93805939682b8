/** The part of a database that is needed here. */
interface Engine {
  query: (sql: string) => Promise<{ rows: unknown[] }>;
  exec: (sql: string) => Promise<{ rows: unknown[] }[]>;
}

interface SqlFunction {
  name: string;
  names: string[];
  types: string[];
  isSet: boolean;
  isVoid: boolean;
}

/**
 * Reads the SQL functions of a shop's database. Returns what answers a call as PostgREST does: arguments by name, with the
 * types that the function declares. It answers null when there is no such function, and rejects with the database's error.
 */
export async function readFunctions(
  engine: Engine,
): Promise<(name: string, body: string) => Promise<Response | null>> {
  const { rows } = await engine.query(
    `select p.proname as name, p.proargnames as names, p.proretset as "isSet", p.prorettype = 'void'::regtype as "isVoid",
       array(select format_type(t, null) from unnest(p.proargtypes) with ordinality u (t, n) order by n) as types
     from pg_proc p where p.pronamespace = 'public'::regnamespace`,
  );
  const functions = new Map((rows as SqlFunction[]).map((row) => [row.name, row]));
  return async (name, body) => {
    const found = functions.get(name);
    if (!found) return null;
    const given = Object.keys(JSON.parse(body || '{}') as object);
    const columns = given.map(
      (argument) => `${argument} ${found.types[found.names.indexOf(argument)] ?? 'unknown'}`,
    );
    const source =
      given.length === 0
        ? ''
        : `jsonb_to_record('${body.replaceAll("'", "''")}') a (${columns.join(', ')}), `;
    const args = given.map((argument) => `${argument} => a.${argument}`).join(', ');
    // One message to PostgreSQL instead of five, as parameters would need: most of a test's time is spent here.
    const [result] = await engine.exec(
      `select to_jsonb(f) as value from ${source}lateral public.${name}(${args}) f`,
    );
    if (found.isVoid) return new Response(null, { status: 204 });
    const values = (result?.rows ?? []).map((row) => (row as { value: unknown }).value);
    return Response.json(found.isSet ? values : (values[0] ?? null));
  };
}
