import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import * as z from 'zod';
import { projectRoot } from './settings.ts';

export interface SqlFile {
  name: string;
  sql: string;
}

/** The folder of migrations, from the root of the project. */
export const migrationsFolder = 'supabase/migrations';

/** The shop's migrations in order: file name and SQL. */
export async function readMigrations(root = projectRoot): Promise<SqlFile[]> {
  const folder = join(root, migrationsFolder);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(join(folder, name), 'utf8') })),
  );
}

const configSchema = z.object({
  db: z.object({ migrations: z.object({ schema_paths: z.array(z.string()) }) }),
});

/** The paths of the schema files in supabase/config.toml, from the folder of that file. */
export const schemaPaths = (config: string): string[] =>
  configSchema.parse(parse(config)).db.migrations.schema_paths;

/** The SQL as it stands (supabase/schemas), in the order of supabase/config.toml: file name and SQL. */
export async function readSchemas(root = projectRoot): Promise<SqlFile[]> {
  const folder = join(root, 'supabase');
  const paths = schemaPaths(await readFile(join(folder, 'config.toml'), 'utf8'));
  return Promise.all(
    paths.map(async (path) => ({
      name: path.slice(path.lastIndexOf('/') + 1),
      sql: await readFile(join(folder, path), 'utf8'),
    })),
  );
}
