import { execFile } from 'node:child_process';
import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/* Changes that a page of the documentation shows, made in a copy of the sources. */

const run = promisify(execFile);

export interface Change {
  /** The language of the code block: `diff`, or that of a new file. */
  kind: string;
  path: string;
  text: string;
}

/** The code blocks of a text that name a file: ```diff src/shop.config.ts. */
export const readChanges = (text: string): Change[] =>
  [...text.matchAll(/^```(diff|sql|ts) (\S+)\n(.*?)^```$/gmsu)].map(
    ([, kind = '', path = '', block = '']) => ({ kind, path, text: block }),
  );

/** The subject of a migration's file name. */
export const subjectOf = (path: string): string => /\d{14}_(\w+)\.sql$/u.exec(path)?.[1] ?? path;

/** Whether a file has every line that a change adds. */
export const isFollowed = (source: string, diff: string): boolean =>
  [...diff.matchAll(/^\+(.*)$/gmu)].every(([, line = '']) => source.includes(`${line}\n`));

/**
 * A file after one of the page's changes. A line `@@` stands for lines that the page leaves out.
 *
 * @throws when the lines that a change removes or keeps are not in the file, or more than once.
 */
export function applyDiff(source: string, diff: string): string {
  return diff
    .trimEnd()
    .split(/^@@\n/mu)
    .reduce((text, hunk) => {
      const lines = hunk.trimEnd().split('\n');
      const side = (other: string): string =>
        lines
          .filter((line) => !line.startsWith(other))
          .map((line) => `${line.slice(1)}\n`)
          .join('');
      const [before, after] = [side('+'), side('-')];
      if (text.split(before).length !== 2)
        throw new Error(`These lines are not in the file, or more than once:\n${before}`);
      return text.replace(before, () => after);
    }, source);
}

/** A change backwards. */
export const invertDiff = (diff: string): string =>
  diff.replaceAll(/^[+-]/gmu, (sign) => (sign === '+' ? '-' : '+'));

/** Copies files and folders of the project to a temporary folder, which the caller deletes. */
export async function copyProject(names: readonly string[]): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'kasavu-copy-'));
  for (const name of names) {
    await cp(name, join(copy, name), {
      recursive: true,
      filter: (path) =>
        !/^(?:src\/shop\/catalogue|tests\/catalogue|tests\/second-shop\/catalogue)\/pictures$/u.test(
          path,
        ),
    });
  }
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Runs a program of the project in a copy. Returns what it prints. Rejects when it fails. */
export async function printedIn(copy: string, ...program: string[]): Promise<string> {
  const env = {
    ...process.env,
    URL: 'https://shop.example',
    SUPABASE_URL: 'https://project.supabase.co',
    SUPABASE_SECRET_KEY: 'sb_secret_of_the_test',
    SHOP_CATALOGUE: 'src/shop/catalogue',
    NODE_OPTIONS: '',
    VITEST: '',
    VITEST_POOL_ID: '',
    VITEST_WORKER_ID: '',
  };
  return (await run(process.execPath, program, { cwd: copy, env, maxBuffer: 64e6 })).stdout;
}

/** Runs a program of the project in a copy. Returns 'passed', or what the program printed. */
export async function outcomeIn(copy: string, ...program: string[]): Promise<string> {
  return printedIn(copy, ...program).then(
    () => 'passed',
    (error: unknown) => {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      return `${stdout}\n${stderr}`;
    },
  );
}
