import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { AstroIntegration } from 'astro';
import { deployMark } from './deploy-mark.ts';

const listingPage = /^shop(?:\/.*)?\.html$/u;
const listingIndex = /^_astro\/catalogue\.(?<version>\w+)\.json$/u;

/**
 * Pages are copied from the last build when what they show is the same (docs/decisions/0017). What is another in every build
 * is put in here, at the end: the id of the deploy, and in pages of the listing the version of its index. Each rendered page
 * has its content policy moved to the head's start.
 */
export function finishPages(deployId: string): AstroIntegration {
  return {
    name: 'finish-pages',
    hooks: {
      'astro:config:setup': ({ command, addMiddleware }) => {
        if (command === 'build')
          addMiddleware({ entrypoint: new URL('page-policy.ts', import.meta.url), order: 'post' });
      },
      'astro:build:done': async ({ dir }) => {
        const all = (await readdir(dir, { recursive: true })).map((path) =>
          path.replaceAll('\\', '/'),
        );
        const version = all.flatMap(
          (path) => listingIndex.exec(path)?.groups?.['version'] ?? [],
        )[0];
        if (version === undefined) throw new Error('The build has no index of the catalogue');
        const paths = all.filter((path) =>
          (deployId === '' ? listingPage : /\.(?:html|js)$/u).test(path),
        );
        const settle = async (): Promise<void> => {
          for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
            const file = new URL(path, dir);
            // Byte by byte: what is looked for and what is put in are ASCII, and thousands of pages need no decoding.
            const text = await readFile(file, 'latin1');
            const marked = listingPage.test(path)
              ? text.replace(/ data-version="\w*"/u, ` data-version="${version}"`)
              : text;
            const finished = deployId === '' ? marked : marked.replaceAll(deployMark, deployId);
            if (finished !== text) await writeFile(file, finished, 'latin1');
          }
        };
        // Several at a time: a large catalogue is thousands of pages, and each waits for the disk.
        await Promise.all(Array.from({ length: 8 }, settle));
      },
    },
  };
}
