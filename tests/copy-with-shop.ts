import { execFileSync } from 'node:child_process';
import { appendFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Copies the project as it is in the working tree to a temporary folder, with another shop in place of `src/shop`. The caller deletes
 * the copy. With `history` it is a clone in which the change of shop is a commit, as in a shop that was made from this repository.
 * @param shop the folder of the other shop
 */
export async function copyWithShop(shop: string, history = false): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'shop-copy-'));
  const git = (...words: string[]): string =>
    execFileSync('git', words, { encoding: 'utf8', maxBuffer: 64e6 });
  if (history) {
    git('clone', '--quiet', '--shared', '.', copy);
    // The link to the installed packages, which .gitignore has as a folder.
    await appendFile(join(copy, '.git/info/exclude'), 'node_modules\n');
  }
  const files = git('ls-files', '-z', '--cached', '--others', '--exclude-standard')
    .split('\0')
    .filter((path) => path !== '' && !path.startsWith('src/shop/'));
  for (const path of files) {
    // A file that was deleted and not yet committed is listed all the same.
    await cp(path, join(copy, path)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    });
  }
  await rm(join(copy, 'src/shop'), { recursive: true, force: true });
  await cp(shop, join(copy, 'src/shop'), { recursive: true });
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
  if (history) {
    git('-C', copy, 'add', '--all');
    git(
      '-C',
      copy,
      '-c',
      'user.name=Shop',
      '-c',
      'user.email=shop@shop.example',
      'commit',
      '--allow-empty',
      '--quiet',
      '-m',
      'feat: our own shop',
    );
  }
  return copy;
}
