import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '#local/shared/settings.ts';

/** Grants to the browser roles, which stand beside their tables. */
const grantPattern = /^grant [^;]*? to [^;]*\b(?:anon|authenticated)\b[^;]*;/gmu;

/**
 * Leaves the browser roles what supabase/schemas grants them. With its first request `@supabase/lite` grants them whole tables,
 * so that policies alone would hold; a hosted project does not.
 * @param run runs several statements as the database's owner, once that first request has been answered
 */
export async function restoreBrowserGrants(run: (sql: string) => Promise<unknown>): Promise<void> {
  const statements = [
    'revoke all on all tables in schema public from anon, authenticated',
    'revoke all on all sequences in schema public from anon, authenticated',
    'alter default privileges in schema public revoke all on tables from anon, authenticated',
    'alter default privileges in schema public revoke all on sequences from anon, authenticated',
  ];
  for await (const file of glob('supabase/schemas/**/*.sql', { cwd: projectRoot }))
    for (const [grant] of (await readFile(join(projectRoot, file), 'utf8')).matchAll(grantPattern))
      statements.push(grant.replace(/;$/u, ''));
  await run(statements.join(';\n'));
}
