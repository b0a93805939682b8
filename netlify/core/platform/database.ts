import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type * as z from 'zod/mini';
import { databaseEnv } from './env.ts';
import { unavailable } from './http/http-error.ts';

const timeoutMs = 8_000;

let client: { address: string; key: string; supabase: SupabaseClient } | undefined;

/**
 * The service client, created once per cold start. It never carries a user's session (a user's token would put it under
 * that user's policies). Every call ends after 8 seconds.
 */
export function database(): SupabaseClient {
  const { SUPABASE_URL: address, SUPABASE_SECRET_KEY: key } = databaseEnv();
  if (client?.address === address && client.key === key) return client.supabase;
  const supabase = createClient(address, key, {
    // Its retries of reads wait seven seconds; the caller gets the error at once and may retry.
    db: { retry: false },
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: {
      // A redirect would take the key, a header of its own, to another host.
      fetch: (input, init) =>
        fetch(input, {
          ...init,
          redirect: 'error',
          signal: init?.signal ?? AbortSignal.timeout(timeoutMs),
        }),
    },
  });
  client = { address, key, supabase };
  return supabase;
}

/** An error response of the database: its code, for the log. Messages are left out because they may quote rows. */
class DatabaseError extends Error {
  override name = 'DatabaseError';
  readonly code: string;

  constructor(what: string, code: string) {
    super(`${what} failed with ${code}`);
    this.code = code;
  }
}

interface Answer {
  data: unknown;
  error: { code?: string } | null;
  status: number;
}

/*
 * Codes of PostgreSQL (five characters) and PostgREST (PGRST…) mean that the database answered and the call itself
 * was wrong, a fault of the shop's; everything else, and the classes for "no connection", is being unreachable.
 */
function readAnswer<T>(what: string, { data, error }: Answer, schema: z.ZodMiniType<T>): T {
  if (error === null) return schema.parse(data);
  const code = error.code ?? '';
  const cause = new DatabaseError(what, code || 'no answer');
  const answered =
    /^(?:[0-9A-Z]{5}|PGRST[1-9]\d\d)$/u.test(code) && !/^(?:08|53|57|40)/u.test(code);
  throw answered ? cause : unavailable(cause);
}

/** Calls an SQL function and parses its result. Throws HttpError 503 when the database cannot be reached. */
export async function callFunction<T>(
  name: string,
  args: Readonly<Record<string, unknown>>,
  schema: z.ZodMiniType<T>,
): Promise<T> {
  return readAnswer(name, await database().rpc(name, args), schema);
}

/** Whom a fallback serves. `npm run release` finds these words and refuses old ones. */
type OfRelease = `of release ${number}.${number}.${number}`;

/**
 * Calls an SQL function of this release. On a database that lacks it or one of its arguments, because its migrations have not run yet,
 * `fallback` runs in its place.
 *
 * @param _database - The newest release whose database lacks it, the last one when it is written.
 */
export async function callNewFunction<T>(
  name: string,
  args: Readonly<Record<string, unknown>>,
  schema: z.ZodMiniType<T>,
  _database: OfRelease,
  fallback: () => Promise<T>,
): Promise<T> {
  const answer: Answer = await database().rpc(name, args);
  return answer.error?.code === 'PGRST202' ? fallback() : readAnswer(name, answer, schema);
}

/** Awaits a query of `database()` and parses its rows. Throws HttpError 503 when the database cannot be reached. */
export async function readRows<T>(
  what: string,
  query: PromiseLike<Answer>,
  schema: z.ZodMiniType<T>,
): Promise<T> {
  return readAnswer(what, await query, schema);
}
