import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { createHostedDatabase } from './hosted-database.ts';
import { addressOf, templates } from './postgres-address.ts';
import { ShopDatabase } from './shop-database.ts';

/** The caller: a role of Supabase, a customer with the claims of their token, or the admin of the database. */
export interface Asker {
  role: 'anon' | 'authenticated' | 'service_role';
  claims?: Readonly<Record<string, unknown>>;
}

/** One connection, with the number of the server's process behind it. */
export interface Connection extends ShopDatabase {
  pid: number;
}

export interface Postgres extends Connection {
  /** Runs one statement as `asker` would through the API, in a transaction that is kept unless it fails. */
  as: <Row = Record<string, unknown>>(
    asker: Asker,
    sql: string,
    ...values: readonly unknown[]
  ) => Promise<Row[]>;
  /** So many connections of their own, all open at once. Closed with the database. */
  connect: (count: number) => Promise<Connection[]>;
  /** Deadlocks of this database so far, in all of its connections. */
  deadlocks: () => Promise<number>;
  close: () => Promise<void>;
}

// bigint as a number, as the API hands it out.
const parsers = new pg.TypeOverrides();
parsers.setTypeParser(pg.types.builtins.INT8, Number);

async function open(
  address: pg.ClientConfig,
): Promise<{ client: pg.Client; connection: Connection }> {
  const client = new pg.Client({ ...address, types: parsers });
  await client.connect();
  const database = new ShopDatabase({
    query: async <Row>(sql: string, ...values: readonly unknown[]) =>
      (await client.query(sql, [...values])).rows as Row[],
    run: (sql) => client.query(sql),
  });
  const pid = await database.value<number>('select pg_backend_pid()');
  return { client, connection: Object.assign(database, { pid }) };
}

const newName = (): string => `test_${crypto.randomUUID().replaceAll('-', '')}`;

/** Opens a database that was made for one file or test, and drops it at `close`. */
async function openDatabase(name: string): Promise<Postgres> {
  const port = inject('postgresPort');
  const { client: server } = await open(addressOf(port, 'postgres'));
  const clients: pg.Client[] = [];
  const connect: Postgres['connect'] = (count) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const { client, connection } = await open(addressOf(port, name));
        clients.push(client);
        return connection;
      }),
    );
  const [owner, asking] = await connect(2);
  if (!owner || !asking) throw new Error('No connection');
  // One transaction at a time: they share a connection.
  let last: Promise<unknown> = Promise.resolve();
  const as: Postgres['as'] = <Row>(
    { role, claims = {} }: Asker,
    sql: string,
    ...values: readonly unknown[]
  ) => {
    const ask = async (): Promise<Row[]> => {
      await asking.run('begin');
      try {
        await asking.query(
          `select set_config('request.jwt.claims', $1, true)`,
          JSON.stringify({ role, ...claims }),
        );
        await asking.run(`set local role ${role}`);
        const rows = await asking.query<Row>(sql, ...values);
        await asking.run('commit');
        return rows;
      } catch (error) {
        await asking.run('rollback');
        throw error;
      }
    };
    const asked = last.then(ask, ask);
    last = asked;
    return asked;
  };
  const deadlocks = async (): Promise<number> => {
    // Each connection's process reports what it counted by itself only after seconds; until then the sum is 0.
    for (const client of clients) await client.query('select pg_stat_force_next_flush()');
    return owner.value('select deadlocks from pg_stat_database where datname = current_database()');
  };
  const close = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.end()));
    await server.query(`drop database ${name} with (force)`);
    await server.end();
  };
  return Object.assign(owner, { as, connect, deadlocks, close });
}

/** A new database of a real PostgreSQL, with Supabase's roles and every migration. Gone after `close`. */
export async function createDatabase(
  template: keyof typeof templates = 'exposed',
): Promise<Postgres> {
  const name = newName();
  const { client } = await open(addressOf(inject('postgresPort'), 'postgres'));
  await client.query(`create database ${name} template ${templates[template]}`);
  await client.end();
  return openDatabase(name);
}

/** A new database of an empty hosted project on which these files were run. Gone after `close`. */
export async function createDatabaseOf(
  files: readonly { name: string; sql: string }[],
): Promise<Postgres> {
  const name = newName();
  await createHostedDatabase(inject('postgresPort'), name, []);
  const database = await openDatabase(name);
  for (const file of files) {
    try {
      await database.run(file.sql);
    } catch (error) {
      await database.close();
      throw new Error(`${file.name} does not run: ${String(error)}`, { cause: error });
    }
  }
  return database;
}

/** A new database for the whole file, gone after its last test. */
export async function useDatabase(template?: keyof typeof templates): Promise<Postgres> {
  const database = await createDatabase(template);
  afterAll(database.close);
  return database;
}

/** Runs on every connection at once and counts the answers. */
export async function race(
  connections: readonly Connection[],
  run: (database: Connection, index: number) => Promise<string>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const answer of await Promise.all(connections.map(run)))
    counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

/**
 * Forces an order on two statements that want the same lock: `first` runs in a transaction that stays open until the
 * server says that `second` waits for it. Returns what both answered. Throws when `second` ends without waiting.
 */
export async function oneAfterTheOther<First, Second>(
  database: Postgres,
  first: (database: ShopDatabase) => Promise<First>,
  second: (database: ShopDatabase) => Promise<Second>,
): Promise<[First, Second]> {
  const [holder, waiter] = await database.connect(2);
  if (!holder || !waiter) throw new Error('No connections');
  await holder.run('begin');
  const before = await first(holder);
  const state = { ended: false };
  const after = second(waiter).finally(() => {
    state.ended = true;
  });
  const isWaiting = async (): Promise<boolean> =>
    (await database.query('select 1 where $1 = any (pg_blocking_pids($2))', holder.pid, waiter.pid))
      .length > 0;
  while (!state.ended && !(await isWaiting()));
  const waited = !state.ended;
  await holder.run('commit');
  const answer = await after;
  if (!waited) throw new Error('The second statement did not wait for the first');
  return [before, answer];
}
