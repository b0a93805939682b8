import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './describe-database.ts';
import { projectRoot } from './settings.ts';
import type { SqlFile } from './sql-files.ts';

interface PgliteDatabase extends Database {
  close: () => Promise<void>;
}

/**
 * A database of an empty hosted project on PGlite, in memory, on which these files were run. The caller closes it.
 *
 * @throws an error that names the file that does not run.
 */
export async function createPgliteDatabase(files: readonly SqlFile[]): Promise<PgliteDatabase> {
  // Imported here, because PGlite takes seconds to load.
  const { createPgliteConnection } = await import('@supabase/lite/pglite');
  const connection = await createPgliteConnection({});
  const { driver } = connection;
  const project = join(projectRoot, 'local/emulators/supabase/database/hosted-project.sql');
  await driver.exec(await readFile(project, 'utf8'));
  for (const { name, sql } of files) {
    try {
      await driver.exec(sql);
    } catch (error) {
      await connection.close();
      throw new Error(`${name} does not run: ${String(error)}`, { cause: error });
    }
  }
  return {
    query: async <Row>(sql: string, ...values: readonly unknown[]) =>
      (await driver.query(sql, [...values])).rows as Row[],
    run: (sql) => driver.exec(sql),
    close: () => connection.close(),
  };
}
