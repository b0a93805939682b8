import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findFiles } from '#tests/find-files.ts';

/** Lines whose changes the tests must catch, and the tests nearest to them. */
export interface Target {
  file: string;
  /** The SQL function of that file whose lines they are. */
  within?: string;
  /** Which of its lines. */
  lines: Lines;
  tests: readonly string[];
  /** The tests of these names alone. */
  names?: string;
}

/** Which lines of a file or function: by their text. */
export type Lines = RegExp | ((line: string, number: number) => boolean);

const root = resolve(import.meta.dirname, '../../..');

let files: ReadonlyMap<string, string> | null = null;

/** The newest migration of each function, read once. */
function newestFiles(): ReadonlyMap<string, string> {
  files ??= new Map(
    findFiles('supabase/migrations/*.sql', { cwd: root }).flatMap((path) =>
      [
        ...readFileSync(join(root, path), 'utf8').matchAll(
          /^create (?:or replace )?function ([\w.]+)\(/gmu,
        ),
      ].map(([, name = '']): [string, string] => [name, path]),
    ),
  );
  return files;
}

/**
 * The newest migration with this function, such as 'public.mark_paid': the database of the tests is made of migrations, and
 * no test can catch a change of an earlier text. Throws when there is none.
 */
export function functionOf(name: string): Required<Pick<Target, 'file' | 'within'>> {
  const file = newestFiles().get(name);
  if (file === undefined) throw new Error(`No migration creates ${name}`);
  return { file, within: name };
}

/** The lines of the text, counted from 0, that create a function: `[first, end)`. */
export function linesOfFunction(text: string, name: string): readonly [number, number] {
  const lines = text.split('\n');
  const first = lines.findLastIndex(
    (line) => line.startsWith('create ') && line.includes(` function ${name}(`),
  );
  const end = lines.findIndex((line, index) => index > first && line === '$$;');
  return [first, end];
}
