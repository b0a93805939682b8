import '#local/emulators/supabase/database/enable-storage.ts';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { App, ConsoleEmailDriver } from '@supabase/lite';
import { applyPendingMigrations } from '@supabase/lite/cli';
import { createPgliteConnection, type PgliteConnection } from '@supabase/lite/pglite';
import { restoreBrowserGrants } from '#local/emulators/supabase/database/browser-grants.ts';
import { dropUnusedArrayParsers } from '#local/emulators/supabase/database/array-parsers.ts';
import { storeObjectsIn } from '#local/emulators/supabase/database/object-files.ts';
import { oneAtATime } from '#local/emulators/supabase/database/one-at-a-time.ts';
import { readFunctions } from '#tests/function-calls.ts';
import { settingsStatement } from '#tests/write-settings.ts';
import { preserveRows } from './preserved-rows.ts';
import { serveFetch, type Served } from './serve-fetch.ts';

export const publishableKey = 'sb_publishable_test_0123456789';
/** A canary: it must never be seen in an answer or a log line. */
export const secretKey = 'sb_secret_canary_database_0123456789';

/** A canary: what tokens are signed with. */
export const jwtSecret = 'canary-jwt-secret-0123456789-0123456789';

export interface DatabaseServer extends Served {
  /** Runs SQL as the database's admin, past every policy. */
  sql: <Row = Record<string, unknown>>(
    query: string,
    ...values: readonly unknown[]
  ) => Promise<Row[]>;
  /** The folder that holds the files of the bucket `product-images`. */
  images: string;
  /** While true every request is refused as if nothing listened. */
  setDown: (down: boolean) => void;
  /** Everything as it was after the start. */
  reset: () => Promise<void>;
}

function openApp(connection: PgliteConnection, objects: string): App {
  const app = new App({
    connection,
    auth: {
      enabled: true,
      jwt_secret: jwtSecret,
      publishable_key: publishableKey,
      secret_key: secretKey,
      site_url: 'http://localhost',
    },
    storage: { enabled: true },
    options: { drivers: { email: new ConsoleEmailDriver({ silent: true }) } },
  });
  // Set before the schema is made: without it there are no tables of storage.
  app._storageAdapter = storeObjectsIn(objects);
  return app;
}

/** The bucket, unless the migration has made it. */
async function createBucket(url: string): Promise<void> {
  const client = createClient(url, secretKey, { auth: { persistSession: false } });
  const { error } = await client.storage.createBucket('product-images', {
    public: true,
    fileSizeLimit: 8 * 1024 * 1024,
  });
  if (error && !/already exists/iu.test(error.message)) throw error;
}

/**
 * Answers a call of an SQL function by the shop's functions with one statement: Supabase's API makes fifteen, and they would be
 * most of the time of these tests. Returns null for other requests, and for a call that fails: the API says so in its own way.
 */
async function answerCall(
  request: Request,
  call: Awaited<ReturnType<typeof readFunctions>>,
): Promise<Response | null> {
  const [, name] = /^\/rest\/v1\/rpc\/(\w+)$/u.exec(new URL(request.url).pathname) ?? [];
  const isOwn = request.method === 'POST' && request.headers.get('apikey') === secretKey;
  if (name === undefined || !isOwn) return null;
  return call(name, await request.text()).catch(() => null);
}

/** A migrated, empty database as a file image. Making one takes seconds, loading one a moment. */
export async function makeImage(): Promise<Blob> {
  const connection = await createPgliteConnection({});
  const app = openApp(connection, tmpdir());
  await app.ensureSystemSchema();
  await applyPendingMigrations(app);
  const image = await connection.driver.dumpDataDir('none');
  await connection.close();
  return image;
}

/** Supabase's API over a new in-memory PostgreSQL (PGlite), on a free port. `folder` will hold its objects. */
export async function startDatabase(image: Blob, folder: string): Promise<DatabaseServer> {
  const connection = await createPgliteConnection({ pgliteOptions: { loadDataDir: image } });
  const objects = await mkdtemp(join(folder, 'objects-'));
  const app = openApp(connection, objects);
  await app.init();
  await dropUnusedArrayParsers(connection);
  // The first request reads the whole schema; on a busy machine that outlasts the patience of a function.
  const headers = { apikey: secretKey, 'content-type': 'application/json' };
  const body = '{}';
  const warm = await app.fetch(
    new Request('http://localhost/rest/v1/rpc/read_notice', { method: 'POST', headers, body }),
  );
  if (!warm.ok) throw new Error(`The database does not answer: ${await warm.text()}`);
  await restoreBrowserGrants(async (sql) => connection.driver.exec(sql));
  let isDown = false;
  const call = await readFunctions(connection.driver);
  const inTurn = oneAtATime();
  const answer = async (request: Request): Promise<Response> =>
    inTurn(async () => (await answerCall(request.clone(), call)) ?? (await app.fetch(request)));
  const served = await serveFetch((request) => (isDown ? null : answer(request)));
  await createBucket(served.url);
  await connection.driver.exec(settingsStatement);
  const restoreRows = await preserveRows(connection.driver);
  return {
    ...served,
    async sql<Row>(query: string, ...values: readonly unknown[]) {
      return inTurn(async () => (await connection.driver.query<Row>(query, [...values])).rows);
    },
    async reset() {
      isDown = false;
      await inTurn(restoreRows);
      for (const name of await readdir(objects)) await rm(join(objects, name), { recursive: true });
    },
    images: join(objects, 'product-images'),
    setDown(down) {
      isDown = down;
    },
    async close() {
      await served.close();
      await connection.close();
    },
  };
}
