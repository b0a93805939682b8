import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '#local/shared/settings.ts';
import { descriptionSchema, type Description } from './read-database.ts';

const folder = join(projectRoot, 'supabase/migrations');

const listMigrations = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();

/** The database that supabase/migrations make of an empty hosted project, on PGlite in memory. The caller closes it. */
export async function openMigrated() {
  // Imported here, because PGlite takes seconds to load.
  const { createPgliteConnection } = await import('@supabase/lite/pglite');
  const connection = await createPgliteConnection({});
  for (const file of [
    join(projectRoot, 'local/emulators/supabase/database/hosted-project.sql'),
    ...(await listMigrations()).map((name) => join(folder, name)),
  ])
    await connection.driver.exec(await readFile(file, 'utf8'));
  return connection;
}

async function describeMigrations(): Promise<Description> {
  const connection = await openMigrated();
  try {
    const { rows } = await connection.driver.query<{ schema: unknown }>(
      'select public.describe_schema() as schema',
    );
    return {
      ...descriptionSchema.parse(rows[0]?.schema),
      migrations: (await listMigrations()).map((name) => name.slice(0, 14)),
    };
  } finally {
    await connection.close();
  }
}

let described: Promise<Description> | undefined;

/** The schema of the database that supabase/migrations make. Runs them once. */
export async function readMigratedSchema(): Promise<Description> {
  described ??= describeMigrations();
  return described;
}
