import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AstroIntegration } from 'astro';

/** Astro's own names inside `cacheDir`: what it knows of each page of the last build, and the pages. */
const manifestName = 'incremental-build.json';
const pagesFolder = 'dist/';
const sealName = 'incremental-build.seal.json';

/** What was found in a file, and when the file was written (milliseconds since 1970). */
interface Kept {
  hash: string;
  writtenAt: number;
}

/** All that Astro kept of a build, by path. Files that are as in `known` are not read again. */
async function readKept(
  cacheDir: URL,
  known: ReadonlyMap<string, Kept>,
): Promise<Map<string, Kept>> {
  const pages = await readdir(new URL(pagesFolder, cacheDir), { recursive: true }).catch(() => []);
  const paths = [
    manifestName,
    ...pages.filter((path) => path.endsWith('.html')).map((path) => pagesFolder + path),
  ].sort();
  const found = new Map(paths.map((path): [string, Kept] => [path, { hash: '', writtenAt: 0 }]));
  const settle = async (): Promise<void> => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      const file = new URL(path, cacheDir);
      const { mtimeMs: writtenAt } = await stat(file);
      const before = known.get(path);
      const hash =
        before?.writtenAt === writtenAt
          ? before.hash
          : createHash('sha256')
              .update(await readFile(file))
              .digest('base64url');
      found.set(path, { hash, writtenAt });
    }
  };
  await Promise.all(Array.from({ length: 8 }, settle));
  return found;
}

const sealOf = (kept: ReadonlyMap<string, Kept>): string =>
  JSON.stringify([...kept].map(([path, { hash }]) => [path, hash]));

/**
 * Astro copies a page from the last build when its `cacheKey` says that nothing changed, and believes the copy: it writes the
 * copies one by one, and what it knows of them at the end. A build that ends between the two leaves a new page under an old
 * key, which would be served when an edit is taken back. So the copies are sealed when a build is done, and a build that finds
 * them without their seal, or not as they were sealed, renders every page.
 */
export function sealPageCache(): AstroIntegration {
  let cacheDir: URL;
  let kept: ReadonlyMap<string, Kept> = new Map();
  return {
    name: 'seal-page-cache',
    hooks: {
      'astro:config:done': ({ config }) => {
        cacheDir = config.cacheDir;
      },
      'astro:build:start': async ({ logger }) => {
        const sealFile = new URL(sealName, cacheDir);
        const seal = await readFile(sealFile, 'utf8').catch(() => null);
        await rm(sealFile, { force: true });
        if (seal !== null) {
          kept = await readKept(cacheDir, new Map()).catch(() => new Map<string, Kept>());
          if (sealOf(kept) === seal) return;
          kept = new Map();
          logger.warn(
            'The pages kept of the last build are not as it left them: every page is rendered.',
          );
        }
        await rm(new URL(manifestName, cacheDir), { force: true });
        await rm(new URL(pagesFolder, cacheDir), { recursive: true, force: true });
      },
      'astro:build:done': async () => {
        await writeFile(new URL(sealName, cacheDir), sealOf(await readKept(cacheDir, kept)));
      },
    },
  };
}
