import { readdir, readFile } from 'node:fs/promises';

/** A connection of the database's admin, past every policy. */
export interface Database {
  query: <Row = Record<string, unknown>>(
    sql: string,
    ...values: readonly unknown[]
  ) => Promise<Row[]>;
  /** Runs several statements without values. */
  run: (sql: string) => Promise<unknown>;
}

const migrations = new URL('../../../supabase/migrations/', import.meta.url);

/** The shop's migrations in order: file name and SQL. */
export async function readMigrations(): Promise<{ name: string; sql: string }[]> {
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(new URL(name, migrations), 'utf8') })),
  );
}

/** The schema of a hosted project before its first migration, in the order in which it came; for its superuser to run. */
export async function readHostedProject({
  explicitGrants,
}: {
  explicitGrants: boolean;
}): Promise<string[]> {
  const project = new URL('../../../local/database/hosted-project.sql', import.meta.url);
  const files = explicitGrants
    ? [project, new URL('explicit-grants.sql', import.meta.url)]
    : [project];
  return Promise.all(files.map(async (file) => readFile(file, 'utf8')));
}

/** The SQLSTATE that a statement fails with, or 'none'. */
export async function sqlState(statement: Promise<unknown>): Promise<string> {
  try {
    await statement;
    return 'none';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
