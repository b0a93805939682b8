import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../shared/settings.ts';
import { descriptionSchema, type Description } from './read-database.ts';

async function describeMigrations(): Promise<Description> {
  // Imported here, because PGlite takes seconds to load.
  const { createPgliteConnection } = await import('@supabase/lite/pglite');
  const folder = join(projectRoot, 'supabase/migrations');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const connection = await createPgliteConnection({});
  const { driver } = connection;
  try {
    for (const file of [
      join(projectRoot, 'local/database/hosted-project.sql'),
      ...files.map((name) => join(folder, name)),
    ])
      await driver.exec(await readFile(file, 'utf8'));
    const { rows } = await driver.query<{ schema: unknown }>(
      'select public.describe_schema() as schema',
    );
    return {
      ...descriptionSchema.parse(rows[0]?.schema),
      migrations: files.map((name) => name.slice(0, 14)),
    };
  } finally {
    await connection.close();
  }
}

let described: Promise<Description> | undefined;

/** The database that supabase/migrations make of an empty hosted project. Runs them once, on PGlite in memory. */
export async function readMigratedSchema(): Promise<Description> {
  described ??= describeMigrations();
  return described;
}
