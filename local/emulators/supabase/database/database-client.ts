import { createClient } from '@supabase/supabase-js';
import type { Database } from './open-database.ts';

/** A client of the embedded Supabase, in this process: no need to go out to the port and in again. */
export const createDatabaseClient = (
  { handle }: Pick<Database, 'handle'>,
  origin: string,
  secretKey: string,
): ReturnType<typeof createClient> =>
  createClient(origin, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: async (input, init) => handle(new Request(input, init)) },
  });
