import { readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from '#local/data-folder/data-folder.ts';

// Pages opened before a publish may still fetch files of their build.
const maxBuilds = 5;

/** Whether there is a site to serve. */
export const hasSite = async (folder: DataFolder): Promise<boolean> =>
  readdir(folder.dist).then(
    (names) => names.length > 0,
    () => false,
  );

/**
 * Serves a build from now on, in one step. The served folder is a link: renaming a new link over it leaves no moment without a site. The link is relative, so
 * that a copy of the data folder serves its own builds.
 */
export async function serveBuild(folder: DataFolder, build: string): Promise<void> {
  const link = `${folder.dist}.${build}`;
  await symlink(join('builds', build), link, 'dir');
  await rename(link, folder.dist);
  const builds = (await readdir(folder.builds)).sort();
  for (const old of builds.slice(0, -maxBuilds)) {
    await rm(join(folder.builds, old), { recursive: true, force: true });
  }
}
