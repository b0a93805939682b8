import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { checks } from '#tests/bench/reliability/checks.ts';
import { mutantsOf } from '#tests/bench/reliability/mutants.ts';
import { targets } from '#tests/bench/reliability/mutation-targets.ts';
import { findNewTargets, readNewLines, sample } from '#tests/bench/reliability/new-targets.ts';
import { readReleases } from '#local/shared/releases.ts';
import { hasCommit } from '#tests/git-sources.ts';
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
  eachRow(targets, async (target) => {
    const { file, tests, names } = target;
    expect(mutantsOf(target, await read(file)).length).toBeGreaterThan(0);
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

test('a diff names the lines that are new, and no others', () => {
  const diff = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -3 +3,2 @@ function a()
-  old
+  new
+  more
@@ -9,2 +10,0 @@
-  gone
-  gone
+++ b/src/b.ts
@@ -0,0 +1 @@
+one`;
  expect([...readNewLines(diff)].map(([file, lines]) => [file, [...lines]])).toEqual([
    ['src/a.ts', [3, 4]],
    ['src/b.ts', [1]],
  ]);
});

test('a line of a function is looked for in that function alone', () => {
  const text = `create function private.a()
as $$
  return x < 1;
$$;
create or replace function private.b(p_x integer)
as $$
  return x < 1;
$$;`;
  const target = { file: 'a.sql', lines: /return/u };
  const linesIn = (within: string): number[] =>
    mutantsOf({ ...target, within }, text).map(({ line }) => line);
  expect(new Set(linesIn('private.a'))).toEqual(new Set([3]));
  expect(new Set(linesIn('private.b'))).toEqual(new Set([7]));
});

test('what is new since the last release has targets, and each of their tests is there', async ({
  skip,
}) => {
  const last = (await readReleases()).at(-1);
  if (last === undefined || !hasCommit(last.commit))
    return skip('This clone has not the whole history.');
  const { since, targets: found } = await findNewTargets();
  expect(since).toBe(last.version);
  for (const { tests } of found)
    for (const each of tests) expect((await stat(join(root, each))).isFile()).toBe(true);
  expect(sample([1, 2, 3, 4, 5, 6], 3)).toEqual([1, 3, 5]);
});
