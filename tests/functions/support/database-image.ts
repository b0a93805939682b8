import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { makeImage } from './database-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for the stack of the function tests. */
    stackFolder: string;
  }
}

const root = resolve(import.meta.dirname, '../../..');
const cache = join(root, 'node_modules/.cache/kasavu');

/** The name of the image of these migrations, by this version of the packages. */
async function imageName(): Promise<string> {
  const folder = join(root, 'supabase/migrations');
  const files = (await readdir(folder)).toSorted().map((name) => join(folder, name));
  const hash = createHash('sha256');
  for (const file of [...files, join(root, 'package-lock.json')]) hash.update(await readFile(file));
  return `${hash.digest('hex').slice(0, 16)}.tar`;
}

const keptMs = 7 * 24 * 3_600_000;

/** Other migrations' images are left for a week: the tests of upgrades use two at once. */
async function removeOldImages(): Promise<void> {
  for (const name of await readdir(cache)) {
    const { mtimeMs } = await stat(join(cache, name));
    if (Date.now() - mtimeMs > keptMs) await rm(join(cache, name), { force: true });
  }
}

/**
 * A migrated, empty database of PGlite as a file. Applying the migrations takes seconds, so the image is kept among the
 * installed packages until one of the migrations changes.
 */
export async function readImage(): Promise<Blob> {
  const name = await imageName();
  const kept = await readFile(join(cache, name)).catch(() => null);
  if (kept) return new Blob([kept]);
  const image = await makeImage();
  await mkdir(cache, { recursive: true });
  await removeOldImages();
  // It gets its name when it is complete, because another run may look for it.
  const unfinished = join(cache, crypto.randomUUID());
  await writeFile(unfinished, Buffer.from(await image.arrayBuffer()));
  await rename(unfinished, join(cache, name));
  return image;
}

/** Vitest's global set-up: makes the image that each worker's stack loads, once. Returns the tear-down. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await readImage();
  const folder = await mkdtemp(join(tmpdir(), 'kasavu-functions-'));
  project.provide('stackFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
