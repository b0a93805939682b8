import './enable-storage.ts';
import { App } from '@supabase/lite';
import { applyPendingMigrations, createApi } from '@supabase/lite/cli';
import { PGlite, PgliteConnection } from '@supabase/lite/pglite';
import { createEmbeddedAuth } from '#local/emulators/supabase/auth/embedded-auth.ts';
import { refuseToken } from '#local/emulators/supabase/auth/session-token.ts';
import type { SendEmailHook } from '#local/emulators/supabase/auth/send-email-hook.ts';
import type { DataFolder } from '#local/data-folder/data-folder.ts';
import { messageOf } from '#local/shared/log.ts';
import { StartError } from '#local/shared/start-error.ts';
import { timed } from '#local/shared/timings.ts';
import { dropUnusedArrayParsers } from './array-parsers.ts';
import { restoreBrowserGrants } from './browser-grants.ts';
import { checkMigrations, repairHistory } from './migration-record.ts';
import { storeObjectsIn } from './object-files.ts';
import { listObjects } from './object-listing.ts';
import { oneAtATime } from './one-at-a-time.ts';

// Postgres keeps 128 MB of pages by default: as much memory as the rest of the stack, for a shop of a few MB.
PGlite.defaultStartParams.push('-c', 'shared_buffers=16MB');

/** Supabase in this process: REST, Auth and Storage over PGlite, a real Postgres. */
export interface Database {
  /** Handles /rest/v1, /auth/v1 and /storage/v1. */
  handle: (request: Request) => Promise<Response>;
  /** Applies the files of supabase/migrations that were not applied yet, in order, one transaction each. */
  migrate: () => Promise<number>;
  /** Marks an account's address as confirmed and keeps its password, which the link of a mail would remove. */
  confirmAddress: (email: string) => Promise<void>;
  /** Runs one statement as the database's owner, past every policy. */
  query: <Row>(sql: string, ...values: readonly unknown[]) => Promise<Row[]>;
  close: () => Promise<void>;
}

/**
 * Opens the database with the settings of local/emulators/supabase/database/config.toml. Auth calls `hook` for each mail. The variables that
 * `databaseEnvironment` returns must be set, and the working directory must be the project's root: both are how the package finds
 * its project.
 */
export async function createDatabase(folder: DataFolder, hook: SendEmailHook): Promise<Database> {
  const recordMigrations = await checkMigrations(folder);
  const api = await createApi({ withSupabaseClient: false });
  const config = await api.project.local.getConfig('local/emulators/supabase/database/config.toml');
  const { connection } = config;
  if (!(connection instanceof PgliteConnection))
    throw new StartError('local/emulators/supabase/database/config.toml does not name PGlite.');
  const inTurn = oneAtATime();
  const query = async <Row>(sql: string, ...values: readonly unknown[]): Promise<Row[]> =>
    inTurn(async () => (await connection.driver.query<Row>(sql, [...values])).rows);
  const fetchApp = async (request: Request): Promise<Response> =>
    inTurn(async () => app.fetch(request, { peerAddress: null }));
  const auth = createEmbeddedAuth(fetchApp, query, hook);
  const authInTurn = oneAtATime();
  const app = new App({
    ...config,
    options: { server: { admin: false }, drivers: { email: auth.driver } },
  });
  app._storageAdapter = storeObjectsIn(folder.objects);
  try {
    await timed('database: open', async () => withoutNotice(async () => app.init()));
    await timed('database: system schema', async () => app.ensureSystemSchema());
    await dropUnusedArrayParsers(connection);
  } catch (error) {
    throw new StartError(
      `The database in ${folder.database} cannot be opened (${messageOf(error)}).`,
    );
  }
  return {
    async handle(request) {
      if (new URL(request.url).pathname.startsWith('/auth/v1/'))
        return authInTurn(async () => auth.handle(request));
      return (
        refuseToken(request, process.env['SUPABASE_JWT_SECRET'] ?? '') ??
        (await listObjects(request, fetchApp)) ??
        fetchApp(request)
      );
    },
    async migrate() {
      try {
        await repairHistory(query);
        const { applied } = await timed('database: migrations', async () =>
          applyPendingMigrations(app),
        );
        // The record comes last: a file that failed can still be corrected, and the next start applies it.
        await recordMigrations();
        await fetchApp(
          new Request('http://localhost/rest/v1/catalogue_version?select=version', {
            headers: { apikey: process.env['SUPABASE_SECRET_KEY'] ?? '' },
          }),
        );
        await inTurn(async () => restoreBrowserGrants(async (sql) => connection.driver.exec(sql)));
        return applied.length;
      } catch (error) {
        throw new StartError(`A migration failed: ${messageOf(error)}`);
      }
    },
    confirmAddress: async (email) =>
      inTurn(async () => {
        const { rows } = await connection.driver.query<{ encrypted_password: string | null }>(
          'select encrypted_password from auth.users where email = $1',
          [email],
        );
        await connection.driver.query(
          'update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()) where email = $1',
          [email],
        );
        await connection.driver.query(
          'update auth.users set encrypted_password = $2 where email = $1',
          [email, rows[0]?.encrypted_password ?? null],
        );
      }),
    query,
    close: async () => connection.close(),
  };
}

/** Silences the package's notice that its storage is experimental; `enable-storage.ts` explains why it is used. */
async function withoutNotice(run: () => Promise<unknown>): Promise<void> {
  const { warn } = console;
  console.warn = (...values: unknown[]) => {
    if (!String(values[0]).startsWith('EXPERIMENTAL FEATURES')) warn(...values);
  };
  try {
    await run();
  } finally {
    console.warn = warn;
  }
}
