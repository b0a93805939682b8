import pg from 'pg';
import { readHostedProject } from './database.ts';
import { addressOf, superuser } from './postgres-address.ts';

/** Runs statements, each text in a transaction of its own, on a connection of `user` to one database of the server. */
export async function runAs(
  user: string,
  port: number,
  database: string,
  statements: readonly string[],
): Promise<void> {
  const client = new pg.Client(addressOf(port, database, user));
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates a database as a hosted project has it, and runs `statements` on it as a project's migrations are run. */
export async function createHostedDatabase(
  port: number,
  database: string,
  statements: readonly string[],
  { explicitGrants = false } = {},
): Promise<void> {
  await runAs('postgres', port, 'postgres', [`create database ${database}`]);
  await runAs(superuser, port, database, await readHostedProject({ explicitGrants }));
  await runAs('postgres', port, database, statements);
}
