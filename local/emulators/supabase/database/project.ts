import { readFile } from 'node:fs/promises';
import { createClient } from '@supabase/supabase-js';
import pg from 'pg';
import * as z from 'zod';
import { isThisMachine } from '#core/platform/this-machine.ts';
import { StartError } from '#local/shared/start-error.ts';

type StorageClient = ReturnType<typeof createClient>['storage'];

/** The data of a shop: one connection to its database, and the files in its buckets. */
export interface ShopData {
  query: <Row = Record<string, unknown>>(
    sql: string,
    ...values: readonly unknown[]
  ) => Promise<Row[]>;
  storage: StorageClient;
  /** The next start of the embedded stack leaves the demo catalogue out. Does nothing in a project. */
  markFilled: () => Promise<void>;
  close: () => Promise<void>;
}

const projectSchema = z.object({
  DATABASE_URL: z.url({
    protocol: /^postgres(?:ql)?$/u,
    error: 'DATABASE_URL is the connection string of the database (Connect, Session pooler).',
  }),
  SUPABASE_URL: z.url('SUPABASE_URL is the address of the project.'),
  SUPABASE_SECRET_KEY: z.string('SUPABASE_SECRET_KEY is missing.').min(1),
  PGSSLROOTCERT: z.string().optional(),
});

/**
 * TLS as libpq has it: `verify-full` with the certificate authority in the file that PGSSLROOTCERT names, else `require`, because
 * Supabase signs its certificates itself. Throws StartError when the file cannot be read.
 */
async function tlsFor(
  host: string,
  authority: string | undefined,
): Promise<pg.ClientConfig['ssl']> {
  if (isThisMachine(host)) return false;
  if (authority === undefined || authority === '') return { rejectUnauthorized: false };
  try {
    return { ca: await readFile(authority, 'utf8') };
  } catch {
    throw new StartError(`PGSSLROOTCERT names ${authority}, which cannot be read.`);
  }
}

/** A connection to a database of a Supabase project, with TLS unless it is on this machine. Throws StartError. */
export async function connectToDatabase(
  address: string,
  authority: string | undefined,
): Promise<Pick<ShopData, 'query' | 'close'>> {
  const client = new pg.Client({
    connectionString: address,
    ssl: (await tlsFor(new URL(address).hostname, authority)) ?? false,
  });
  try {
    await client.connect();
  } catch (cause) {
    throw new StartError(
      `The database does not answer (${cause instanceof Error ? cause.message : String(cause)}).`,
    );
  }
  return {
    query: async <Row>(sql: string, ...values: readonly unknown[]) =>
      (await client.query(sql, [...values])).rows as Row[],
    close: async () => client.end(),
  };
}

/** The data of a Supabase project, by the variables of the environment. Throws StartError. */
export async function connectToProject(env: NodeJS.ProcessEnv): Promise<ShopData> {
  const { success, data, error } = projectSchema.safeParse(env);
  if (!success) throw new StartError(error.issues.map(({ message }) => message).join(' '));
  const database = await connectToDatabase(data.DATABASE_URL, data.PGSSLROOTCERT);
  const { storage } = createClient(data.SUPABASE_URL, data.SUPABASE_SECRET_KEY);
  return { ...database, storage, markFilled: async () => Promise.resolve() };
}
