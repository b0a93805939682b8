import { createPgliteDatabase } from '#local/shared/pglite-database.ts';
import { readMigrations } from '#local/shared/sql-files.ts';
import { descriptionSchema, type Description } from './read-database.ts';

async function describeMigrations(): Promise<Description> {
  const migrations = await readMigrations();
  const database = await createPgliteDatabase(migrations);
  try {
    const [row] = await database.query<{ schema: unknown }>(
      'select public.describe_schema() as schema',
    );
    return {
      ...descriptionSchema.parse(row?.schema),
      migrations: migrations.map(({ name }) => name.slice(0, 14)),
    };
  } finally {
    await database.close();
  }
}

let described: Promise<Description> | undefined;

/** The schema of the database that supabase/migrations make. Runs them once. */
export async function readMigratedSchema(): Promise<Description> {
  described ??= describeMigrations();
  return described;
}
