import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDiff, copyProject, outcomeIn, readChanges } from '../../documented-changes.ts';

/* docs/first-change.md, followed on a copy of the sources. */

const page = await readFile('docs/first-change.md', 'utf8');
const blocks = readChanges(page);

/** The subject of a migration's file name. */
const subjectOf = (path: string): string => /\d{14}_(\w+)\.sql$/u.exec(path)?.[1] ?? path;

/** A change backwards. */
const inverse = (diff: string): string =>
  diff.replaceAll(/^[+-]/gmu, (sign) => (sign === '+' ? '-' : '+'));
const isFollowed = (source: string, diff: string): boolean =>
  [...diff.matchAll(/^\+(.*)$/gmu)].every(([, line = '']) => source.includes(`${line}\n`));

let copy = '';
beforeAll(async () => {
  copy = await copyProject([
    'src',
    'netlify',
    'supabase',
    'tests',
    'local',
    'public',
    'docs',
    '.ci',
    '.env.example',
    '.github',
    '.gitignore',
    '.npmrc',
    '.prettierignore',
    '.prettierrc.json',
    'LICENSE',
    ...globSync('*.{ts,mjs,json,toml,md}'),
  ]);
  // A reader who followed the page has its changes already.
  for (const { kind, path, text } of blocks) {
    const file = join(copy, path);
    if (kind === 'sql') {
      const own = globSync(`supabase/migrations/*_${subjectOf(path)}.sql`, { cwd: copy });
      for (const name of own) await rm(join(copy, name));
    } else if (kind !== 'diff') await rm(file, { force: true });
    else {
      const source = await readFile(file, 'utf8');
      await writeFile(file, isFollowed(source, text) ? applyDiff(source, inverse(text)) : source);
    }
  }
});
afterAll(() => rm(copy, { recursive: true, force: true }));

test('following the page gives a shop whose tests and types pass, and its tests fail before', async () => {
  expect(blocks).toHaveLength(5);
  const isTest = ({ path }: { path: string }): boolean => path.startsWith('tests/');
  /** Runs the command that the page shows; the file has the time of now in its name. */
  const makeMigration = (path: string): string => {
    const [, subject = ''] = /`npm run migration -- (\w+)`/u.exec(page) ?? [];
    expect(subject).toBe(subjectOf(path));
    return execFileSync(process.execPath, ['local/migration.ts', subject], {
      cwd: copy,
      encoding: 'utf8',
    }).trim();
  };
  const apply = async ({ kind, path, text }: (typeof blocks)[number]): Promise<void> => {
    const file = join(copy, kind === 'sql' ? makeMigration(path) : path);
    await writeFile(file, kind === 'diff' ? applyDiff(await readFile(file, 'utf8'), text) : text);
  };
  const step = page.slice(page.indexOf('## 4.'));
  const [command = ''] = /npx vitest run .*/u.exec(step) ?? [];
  const tests = command.split(' ').slice(3);
  expect(tests.length).toBeGreaterThan(1);
  const outcome = (...program: string[]): Promise<string> => outcomeIn(copy, ...program);
  const vitest = async (files: readonly string[]): Promise<string> => {
    return outcome(
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'unit',
      '--project',
      'database',
      ...files,
    );
  };

  for (const block of blocks.filter(isTest)) await apply(block);
  expect(await vitest([join('tests/unit/catalogue/closure.test.ts')])).toContain('1 failed');
  for (const block of blocks.filter((block) => !isTest(block))) await apply(block);
  expect(await vitest(tests)).toBe('passed');

  // What a newcomer runs before sharing the change: the whole of `npm run check`, and the tests that read all sources.
  const changed = blocks.map(({ path }) => path).filter((path) => !path.endsWith('.sql'));
  for (const [name, ...args] of [
    // First, because it writes the types of the shop's texts.
    ['astro/bin/astro.mjs', 'check', '--tsconfig', 'tsconfig.astro.json'],
    ['oxlint/bin/oxlint', '--disable-nested-config', '--type-check'],
    ['knip/bin/knip.js'],
    ['prettier/bin/prettier.cjs', '--check', ...changed],
    ['vitest/vitest.mjs', 'run', '--project', 'unit'],
  ] as const)
    expect([name, await outcome(join('node_modules', name), ...args)]).toEqual([name, 'passed']);
}, 400_000);
