import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readReleases } from '#local/shared/releases.ts';
import { outcomeIn } from '#tests/documented-changes.ts';
import { hasCommit } from '#tests/git-sources.ts';

let clone = '';
beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'own-shop-'));
});
afterEach(() => rm(clone, { recursive: true, force: true }));

/** The commands of git in docs/upgrading.md that fetch a release, a line each. */
async function documentedFetch(): Promise<string[]> {
  const guide = await readFile('docs/upgrading.md', 'utf8');
  const [, block = ''] = /^ *```sh\n(.*?)^ *```$/msu.exec(guide) ?? [];
  return block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('git '));
}

test('a shop of the last release fetches this one as docs/upgrading.md says, keeps its own folder whole, and builds', async ({
  skip,
}) => {
  const commit = (await readReleases()).at(-1)?.commit ?? '';
  if (!hasCommit(commit)) skip(`This clone has no commit ${commit}: fetch the whole history.`);
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Shop', '-c', 'user.email=shop@shop.example', ...words], {
      cwd: clone,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', resolve(), clone]);
  git('checkout', '--quiet', '-b', 'shop', commit);
  await rm(join(clone, 'src/shop'), { recursive: true });
  await cp(join(clone, 'tests/second-shop'), join(clone, 'src/shop'), { recursive: true });
  // 1.3.0 took an amount here: see "Breaking" of 1.3.1 in CHANGELOG.md.
  const settings = join(clone, 'src/shop/shop.ts');
  const text = await readFile(settings, 'utf8');
  await writeFile(settings, text.replace(/shippingLabel: '₹[^']*'/u, "shippingLabel: 'Free'"));
  git('add', '--all');
  git('commit', '--quiet', '--message', 'feat: our own shop');
  git('remote', 'rename', 'origin', 'upstream');
  const own = git('rev-parse', 'HEAD:src/shop');

  const commands = await documentedFetch();
  expect(commands.map((command) => command.split(' ')[1])).toEqual([
    ...['pull', 'rm', 'checkout', 'commit'],
  ]);
  for (const command of commands) {
    const words = command.replace('upstream main', 'upstream HEAD').split(' ').slice(1);
    try {
      git(...words);
    } catch (error) {
      // The merge stops at the shop's own files, which the next commands bring back.
      if (words[0] !== 'pull') throw error;
    }
  }
  expect(git('status', '--porcelain')).toBe('');
  expect(git('rev-parse', 'HEAD:src/shop')).toBe(own);
  expect(git('diff', '--name-only', 'HEAD', 'FETCH_HEAD', '--', '.', ':!src/shop')).toBe('');
  await symlink(resolve('node_modules'), join(clone, 'node_modules'));
  expect(await outcomeIn(clone, 'local/build-preview.ts', 'dist')).toBe('passed');
}, 180_000);
