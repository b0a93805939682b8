import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findFiles } from '#tests/find-files.ts';

/** Lines whose changes the tests must catch, and the tests nearest to them. */
export interface Target {
  file: string;
  /** Which of its lines. */
  lines: RegExp;
  tests: readonly string[];
  /** The tests of these names alone. */
  names?: string;
}

const root = resolve(import.meta.dirname, '../../..');

/**
 * The newest migration with this function, such as 'public.mark_paid': the database of the tests is made of migrations, and
 * no test can catch a change of an earlier text. Throws when there is none.
 */
export function migrationOf(name: string): string {
  const file = findFiles('supabase/migrations/*.sql', { cwd: root }).findLast((path) =>
    readFileSync(join(root, path), 'utf8').includes(` function ${name}(`),
  );
  if (file === undefined) throw new Error(`No migration creates ${name}`);
  return file;
}
