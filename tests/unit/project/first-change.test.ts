import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { times } from '../../soak.ts';

/* docs/first-change.md, followed on a copy of the sources. */

const run = promisify(execFile);
const page = await readFile('docs/first-change.md', 'utf8');
const blocks = [...page.matchAll(/^```(diff|sql|ts) (\S+)\n(.*?)^```$/gmsu)].map(
  ([, kind = '', path = '', text = '']) => ({ kind, path, text }),
);

/** A file after one of the page's changes. Throws when the lines that it takes away or leaves are not there, once. */
function changed(source: string, diff: string): string {
  const lines = diff.trimEnd().split('\n');
  const side = (other: string): string =>
    lines
      .filter((line) => !line.startsWith(other))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const [before, after] = [side('+'), side('-')];
  if (source.split(before).length !== 2)
    throw new Error(`These lines are not in the file, or more than once:\n${before}`);
  return source.replace(before, () => after);
}

let copy = '';
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'kasavu-first-change-'));
  for (const name of [
    'src',
    'netlify',
    'supabase',
    'tests',
    'local',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
    'docs',
  ]) {
    await cp(name, join(copy, name), {
      recursive: true,
      filter: (path) => !/^local\/demo\/pictures$/u.test(path),
    });
  }
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

test('following the page gives a shop whose tests and types pass, and its tests fail before', async () => {
  expect(blocks).toHaveLength(4);
  const isTest = ({ path }: { path: string }): boolean => path.startsWith('tests/');
  const apply = async ({ kind, path, text }: (typeof blocks)[number]): Promise<void> => {
    const file = join(copy, path);
    await writeFile(file, kind === 'diff' ? changed(await readFile(file, 'utf8'), text) : text);
  };
  const [command = ''] = /npx vitest run .*/u.exec(page.slice(page.indexOf('## 4.'))) ?? [];
  const tests = command.split(' ').slice(3);
  expect(tests.length).toBeGreaterThan(1);
  const environment = {
    ...process.env,
    NODE_OPTIONS: '',
    VITEST: '',
    VITEST_POOL_ID: '',
    VITEST_WORKER_ID: '',
  };
  /** 'passed', or what the program of the copy said. */
  const outcome = async (...program: string[]): Promise<string> =>
    run(process.execPath, program, { cwd: copy, env: environment }).then(
      () => 'passed',
      (error: unknown) => String((error as { stdout?: string }).stdout),
    );
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

  // The types of what imports the changed files, by the same compiler as `npm run types`: seconds, so not in every run.
  if (!times(false, true)) return;
  const include = [
    'src/env.d.ts',
    'src/islands/admin',
    'src/services/admin',
    'tests/unit/admin',
    'tests/unit/catalogue/closure.test.ts',
  ];
  const settings = {
    extends: resolve('tsconfig.json'),
    compilerOptions: { types: ['node', 'astro/client'] },
    include,
  };
  await writeFile(join(copy, 'tsconfig.json'), JSON.stringify(settings));
  expect(
    await outcome(
      'node_modules/oxlint/bin/oxlint',
      '--type-aware',
      '--type-check',
      '-A',
      'all',
      ...include,
    ),
  ).toBe('passed');
}, 180_000);
