// This import stands before Supabase's packages: the image that is made here is the one of the function tests, too.
import '#local/emulators/supabase/database/enable-storage.ts';
import { createPgliteConnection } from '@supabase/lite/pglite';
import { dropUnusedArrayParsers } from '#local/emulators/supabase/database/array-parsers.ts';
import { readFunctions } from '#tests/function-calls.ts';
import { readImage } from '#tests/functions/support/database-image.ts';
import { settingsStatement } from '#tests/write-settings.ts';

/** The traces of one history. */
const tables = [
  'cash_refusals',
  'order_changes',
  'credit_notes',
  'invoices',
  'document_counters',
  'outbox',
  'refunds',
  'payments',
  'webhook_events',
  'orders',
  'reconciliations',
  'costs',
  'products',
  'product_changes',
];
/** Tables whose times are moved back, `updated_at` apart; a form that the admin has open stays what it was. */
const timed = [
  'cash_refusals',
  'outbox',
  'refunds',
  'payments',
  'webhook_events',
  'orders',
  'reconciliations',
  'provider_health',
  'invoices',
];

/** The shop's SQL in a PostgreSQL of this process (PGlite), and the part of Supabase's API that the functions use. */
export interface SimulatedDatabase {
  sql: <Row = Record<string, unknown>>(
    query: string,
    ...values: readonly unknown[]
  ) => Promise<Row[]>;
  /** Answers a request to `/rest/v1/…`. */
  answer: (method: string, url: URL, body: string) => Promise<Response>;
  /** Empties it. */
  reset: () => Promise<void>;
  /** Lets time pass: everything that is stored was so much longer ago. */
  pass: (seconds: number) => Promise<void>;
  /** Seconds that have passed since it was opened. */
  passed: () => number;
  /** Makes what was just read in from a backup as old as it is, in seconds. */
  age: (seconds: number) => Promise<void>;
  close: () => Promise<void>;
}

export async function openDatabase(): Promise<SimulatedDatabase> {
  const connection = await createPgliteConnection({
    pgliteOptions: { loadDataDir: await readImage() },
  });
  const { driver } = connection;
  await dropUnusedArrayParsers(connection);
  await driver.exec(settingsStatement);
  const sql: SimulatedDatabase['sql'] = async <Row>(query: string, ...values: readonly unknown[]) =>
    (await driver.query<Row>(query, [...values])).rows;

  const call = await readFunctions(driver);
  const moves = await sql<{ move: string }>(
    `select format('update public.%I set %s', c.relname,
       string_agg(format('%1$I = %1$I - make_interval(secs => SECONDS)', a.attname), ', ')) as move
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.atttypid = 'timestamptz'::regtype and a.attnum > 0
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname = any ($1) group by c.relname`,
    timed,
  );

  /** `?select=a,b&column=eq.value&order=…&limit=1`: all that the payment functions use of a table. */
  async function select(table: string, { searchParams }: URL): Promise<Response> {
    const columns = searchParams.get('select') ?? '*';
    const filters = [...searchParams].filter(([, value]) => value.startsWith('eq.'));
    const where =
      filters.map(([column], index) => `${column}::text = $${String(index + 1)}`).join(' and ') ||
      'true';
    const order = searchParams.get('order')?.replace('.', ' ');
    const query = `select to_jsonb(t) as value from (select ${columns} from public.${table} where ${where}
      ${order === undefined ? '' : `order by ${order}`} limit ${String(Number(searchParams.get('limit') ?? 1000))}) t`;
    const rows = await sql<{ value: unknown }>(
      query,
      ...filters.map(([, value]) => value.slice(3)),
    );
    return Response.json(rows.map(({ value }) => value));
  }

  let passed = 0;
  // The triggers stay on: switching them off would make PostgreSQL forget all its plans.
  const age = async (seconds: number): Promise<void> => {
    await driver.exec(
      moves.map(({ move }) => move.replaceAll('SECONDS', String(seconds))).join('; '),
    );
  };
  return {
    sql,
    passed: () => passed,
    age,
    async answer(method, url, body) {
      const [, kind = '', name = ''] = /^\/rest\/v1\/(rpc\/)?(\w+)$/u.exec(url.pathname) ?? [];
      try {
        if (kind !== '')
          return (
            (await call(name, body)) ??
            Response.json({ code: 'PGRST202', message: `No function ${name}` }, { status: 404 })
          );
        if (method === 'GET') return await select(name, url);
      } catch (error) {
        const { code, message } = error as { code?: string; message?: string };
        if (code === undefined) throw error;
        return Response.json({ code, message }, { status: 400 });
      }
      throw new Error(`The simulated database does not know ${method} ${url.pathname}`);
    },
    async reset() {
      // Deleting few rows takes a fifth of the time of truncating.
      await driver.exec(`${tables.map((table) => `delete from public.${table}`).join('; ')};
        update public.provider_health set unreachable_since = null, reconcile = false`);
    },
    async pass(seconds) {
      passed += seconds;
      await age(seconds);
    },
    close: () => connection.close(),
  };
}
