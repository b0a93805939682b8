import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readCreations, type Statement } from '#local/migration/sql-statements.ts';
import { readReleases } from '#local/shared/releases.ts';
import { readSchemas, schemaPaths } from '#local/shared/sql-files.ts';
import { findFiles } from '#tests/find-files.ts';
import { readSource } from '#tests/git-sources.ts';
import { projectOf } from './checks.ts';
import { functionOf, type Target } from './target.ts';

/*
 * Targets of the lines that are new since the last release, with the tests nearest to them: those that import the file, or that call
 * the SQL function. So a rule is tried in the release that brings it, and not when somebody writes its line down.
 */
const root = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The folders whose lines decide something. */
const deciding =
  /^(?:src\/domain|src\/features\/[^/]+\/domain|netlify\/(?:core|features))\/.*\.ts$/u;
/** A test that takes seconds. The others start a stack or a browser of their own. */
const quick =
  /^(?:tests\/(?:unit|database|functions|features)|src\/features)\/.*(?<!\.race|race\.database)\.test\.ts$/u;
/** As many files of tests run for one change. */
const maxTests = 4;
/** How far a test may be from a file, in imports, or from an SQL function, in calls. */
const maxHeight = 4;

/** The new lines of each file, by number, from a diff without context. */
export function readNewLines(diff: string): Map<string, Set<number>> {
  const lines = new Map<string, Set<number>>();
  let file = '';
  for (const line of diff.split('\n')) {
    file = /^\+\+\+ b\/(.*)$/u.exec(line)?.[1] ?? file;
    const [, first, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/u.exec(line) ?? [];
    if (first === undefined) continue;
    const numbers = lines.get(file) ?? new Set();
    for (let added = 0; added < Number(count); added += 1) numbers.add(Number(first) + added);
    lines.set(file, numbers);
  }
  return lines;
}

/** The specifiers of a module's imports, as paths from the root. */
function importsOf(path: string, text: string, aliases: readonly [string, string][]): string[] {
  return [...text.matchAll(/from '([^']+)'/gu)].map(([, name = '']) => {
    if (name.startsWith('.')) return relative(root, resolve(root, dirname(path), name));
    const [alias, folder] = aliases.find(([prefix]) => name.startsWith(prefix)) ?? ['', ''];
    return name.replace(alias, folder);
  });
}

/** Finds the tests that import a file, else those that import one that imports it, and so on. */
function createTestFinder(): (file: string) => string[] {
  const { imports } = JSON.parse(read('package.json')) as { imports: Record<string, string> };
  const aliases = Object.entries(imports).map(([alias, folder]): [string, string] => [
    alias.replace('*', ''),
    folder.replace('./', '').replace('*', ''),
  ]);
  const importers = new Map<string, string[]>();
  for (const path of findFiles('{src,netlify,tests}/**/*.{ts,tsx}', { cwd: root }))
    for (const imported of importsOf(path, read(path), aliases))
      importers.set(imported, [...(importers.get(imported) ?? []), path]);
  return (file) => {
    let files = [file];
    for (let height = 0; height < maxHeight; height += 1) {
      const above = [...new Set(files.flatMap((one) => importers.get(one) ?? []))];
      const tests = above.filter((path) => quick.test(path));
      if (tests.length > 0) return tests;
      files = above;
    }
    return [];
  };
}

/** As many of the nearest tests as run for one change, all of one project of Vitest. */
function choose(tests: readonly string[]): string[] {
  const project = projectOf(tests[0] ?? '');
  return tests.filter((test) => projectOf(test) === project).slice(0, maxTests);
}

const nameOf = ({ object }: Statement): string => object.replace('function ', '');
const isFunction = ({ object }: Statement): boolean => object.startsWith('function ');

type TestFile = readonly [path: string, text: string];

const readDatabaseTests = (): TestFile[] =>
  findFiles('tests/{database,features}/**/*.test.ts', { cwd: root })
    .filter((path) => quick.test(path) && /database/u.test(path))
    .map((path) => [path, read(path)]);

/** The database tests that name a function, else those of the functions that call it. The most mentions first. */
function testsOfFunction(
  name: string,
  now: readonly Statement[],
  tests: readonly TestFile[],
): string[] {
  let names = [name];
  for (let height = 0; height < maxHeight; height += 1) {
    const counted = tests
      .map(([path, text]) => {
        const mentions = names.map((one) => text.split(`${one}(`).length - 1);
        return [path, mentions.reduce((sum, count) => sum + count, 0)] as const;
      })
      .filter(([, count]) => count > 0)
      .sort(([, one], [, other]) => other - one);
    if (counted.length > 0) return counted.map(([path]) => path);
    names = now
      .filter((statement) => names.some((one) => statement.text.includes(`${one}(`)))
      .map(nameOf);
  }
  return [];
}

/** Finds the targets of what is new since the last release, and the files and functions that no test is near. */
export async function findNewTargets(): Promise<{
  since: string;
  targets: Target[];
  untested: string[];
}> {
  const last = (await readReleases()).at(-1);
  if (last === undefined) return { since: 'the beginning', targets: [], untested: [] };
  const diff = execFileSync(
    'git',
    ['diff', '-U0', '--no-color', last.commit, '--', 'src', 'netlify'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 256e6,
    },
  );
  const findTests = createTestFinder();
  const found: Target[] = [...readNewLines(diff)]
    .filter(
      ([file, numbers]) => deciding.test(file) && !file.endsWith('.test.ts') && numbers.size > 0,
    )
    .map(([file, numbers]) => ({
      file,
      lines: (_line: string, number: number) => numbers.has(number),
      tests: choose(findTests(file)),
    }));

  const now = (await readSchemas()).flatMap(({ sql }) => readCreations(sql)).filter(isFunction);
  const before = new Map(
    schemaPaths(readSource(last.commit, 'supabase/config.toml'))
      .map((path) => readSource(last.commit, join('supabase', path)))
      .flatMap((sql) => readCreations(sql))
      .map(({ object, text }) => [object, new Set(text.split('\n'))]),
  );
  const tests = readDatabaseTests();
  for (const statement of now) {
    const old = before.get(statement.object);
    const added = new Set(statement.text.split('\n').filter((line) => old?.has(line) !== true));
    if (added.size === 0) continue;
    found.push({
      ...functionOf(nameOf(statement)),
      lines: (line) => added.has(line),
      tests: choose(testsOfFunction(nameOf(statement), now, tests)),
    });
  }
  return {
    since: last.version,
    targets: found.filter(({ tests }) => tests.length > 0),
    untested: found
      .filter(({ tests }) => tests.length === 0)
      .map(({ file, within }) => within ?? file),
  };
}

/** So many of a list, spread evenly over it. */
export const sample = <T>(all: readonly T[], most: number): T[] =>
  all.length <= most
    ? [...all]
    : Array.from({ length: most }, (_, index) => all[Math.floor((index * all.length) / most)] as T);
