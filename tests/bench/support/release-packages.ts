import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cachePath } from '#tests/cache-folder.ts';

/**
 * Installs the packages that the package-lock.json of a checkout names, once for each lockfile. An older release runs with its own
 * packages, as it does on a live site: later sources may have dropped or replaced one.
 *
 * @returns the path of `node_modules`
 */
export async function installPackages(checkout: string): Promise<string> {
  const lockfile = await readFile(join(checkout, 'package-lock.json'));
  const hash = createHash('sha256').update(lockfile).digest('hex').slice(0, 16);
  const folder = cachePath(`packages-${hash}`);
  if (!existsSync(folder)) {
    console.log(`      npm ci with the lockfile of the release, into ${folder}`);
    await mkdir(dirname(folder), { recursive: true });
    // A folder of its own until it is whole: two runs at once do not meet, and one that was stopped leaves nothing half.
    const target = await mkdtemp(`${folder}-`);
    try {
      for (const name of ['package.json', 'package-lock.json', '.npmrc'])
        await copyFile(join(checkout, name), join(target, name));
      execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], {
        cwd: target,
        stdio: ['ignore', 'ignore', 'inherit'],
        shell: process.platform === 'win32',
      });
      await rename(target, folder).catch((error: unknown) => {
        if (!existsSync(folder)) throw error;
      });
    } finally {
      await rm(target, { recursive: true, force: true });
    }
  }
  return join(folder, 'node_modules');
}
