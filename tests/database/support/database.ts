import { readFile } from 'node:fs/promises';

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
