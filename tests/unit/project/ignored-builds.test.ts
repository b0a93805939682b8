import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The command of netlify.toml that Netlify runs with Bash before a build of a push: exit code 0 skips it. */
const command = /^ignore = '''(.+?)'''$/mu.exec(readFileSync('netlify.toml', 'utf8'))?.[1] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'ignored-builds-'));

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();

/** Commits these files, and returns the commit. */
function commit(...files: string[]): string {
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), crypto.randomUUID());
  }
  git('add', '.');
  git('commit', '--quiet', '--message', 'A change');
  return git('rev-parse', 'HEAD');
}

/** Whether Netlify would build `to` after it built `from`. */
function builds(from: string, to: string, hook = ''): boolean {
  const env = {
    PATH: process.env['PATH'] ?? '',
    COMMIT_REF: to,
    INCOMING_HOOK_URL: hook,
    CACHED_COMMIT_REF: from,
  };
  return spawnSync('bash', ['-c', command], { cwd: folder, env }).status !== 0;
}

beforeAll(() => {
  git('init', '--quiet');
  commit('README.md', 'docs/a.md', 'src/pages/a.astro', 'tests/unit/a.test.ts');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('a push that changes only documents or tests builds nothing', () => {
  expect(command).toContain('git diff');
  const files = ['README.md', 'docs/a.md', 'tests/unit/a.test.ts', 'src/features/a/a.test.ts'];
  expect(builds(commit('src/pages/a.astro'), commit(...files))).toBe(false);
});

test('anything else builds, also beside a document and in a commit before the last', () => {
  for (const file of [
    'src/pages/a.astro',
    'src/shop/texts/about.md',
    'netlify.toml',
    'package.json',
    'supabase/a.sql',
    'public/a.png',
  ]) {
    const before = commit('docs/a.md');
    commit(file, 'docs/b.md');
    expect([file, builds(before, commit('README.md'))]).toEqual([file, true]);
  }
});

test('the first build, one without a cache, one of a hook and one after an unknown commit are never skipped', () => {
  const next = commit('docs/a.md');
  const last = commit('docs/a.md');
  expect(builds(next, last)).toBe(false);
  expect([
    builds('', last),
    builds(last, last),
    builds(next, last, 'https://api.netlify.com/build_hooks/1'),
    builds('0'.repeat(40), last),
  ]).toEqual([true, true, true, true]);
});
