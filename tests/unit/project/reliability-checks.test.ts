import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { checks } from '#tests/bench/reliability/checks.ts';
import { mutantsOf } from '#tests/bench/reliability/mutants.ts';
import { targets } from '#tests/bench/reliability/mutation-targets.ts';
import { eachRow } from '#tests/each-row.ts';

/*
 * `npm run bench:reliability` finds lines by patterns and tests by their names. It runs seldom: what no longer matches is reported
 * here, on the day it changes.
 */
const root = resolve(import.meta.dirname, '../../..');
const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8');

/** Whether a test is of a feature whose folder was deleted. */
const isTakenOut = (file: string): boolean => {
  const [folder] = /^tests\/features\/[^/]+/u.exec(file) ?? [];
  return folder !== undefined && !existsSync(join(root, folder));
};

/** Whether some line of some of these files matches. */
async function isNamed(files: readonly string[], name: string): Promise<boolean> {
  const texts = await Promise.all(files.map(read));
  return texts.some((text) => text.split('\n').some((line) => new RegExp(name, 'u').test(line)));
}

test('every line whose changes the tests must catch is there, and so are these tests', () =>
  eachRow(targets, async ({ file, lines, tests, names }) => {
    expect(mutantsOf(file, await read(file), lines).length).toBeGreaterThan(0);
    if (tests.some(isTakenOut)) return;
    for (const name of names?.split('|') ?? []) expect(await isNamed(tests, name), name).toBe(true);
    for (const each of tests) expect((await stat(join(root, each))).isFile()).toBe(true);
  }));

test('every test that a check names by file and title is there', () =>
  eachRow(
    checks.flatMap(({ commands }) => commands).filter(([, program]) => program === 'vitest'),
    async (command) => {
      const files = command.filter(
        (part) => part.startsWith('tests/') && part.endsWith('.test.ts'),
      );
      if (files.some(isTakenOut)) return;
      for (const file of files) expect((await stat(join(root, file))).isFile()).toBe(true);
      const pattern = command.indexOf('--testNamePattern');
      for (const name of pattern < 0 ? [] : (command[pattern + 1] ?? '').split('|'))
        expect(await isNamed(files, name), name).toBe(true);
    },
  ));
