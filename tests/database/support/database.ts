import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'smol-toml';
import * as z from 'zod';

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

const configSchema = z.object({
  db: z.object({ migrations: z.object({ schema_paths: z.array(z.string()) }) }),
});

/** The SQL as it stands (supabase/schemas), in the order of supabase/config.toml: file name and SQL. */
export async function readSchemas(): Promise<{ name: string; sql: string }[]> {
  const config = new URL('../config.toml', migrations);
  const { db } = configSchema.parse(parse(await readFile(config, 'utf8')));
  return Promise.all(
    db.migrations.schema_paths.map(async (path) => ({
      name: path.slice(path.lastIndexOf('/') + 1),
      sql: await readFile(new URL(path, config), 'utf8'),
    })),
  );
}

/** The schema of a hosted project before its first migration, in the order in which it came; for its superuser to run. */
export async function readHostedProject({
  explicitGrants,
}: {
  explicitGrants: boolean;
}): Promise<string[]> {
  const project = new URL(
    '../../../local/emulators/supabase/database/hosted-project.sql',
    import.meta.url,
  );
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
