import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImageCdn } from './images.ts';

/**
 * Makes the pictures that the built pages ask for, one at a time and only while nobody else waits for one, so that a
 * first visit does not wait for AVIF encoders. Home and shop first. Ends early when `signal` is aborted.
 */
export async function warmImages(dist: string, origin: string, cdn: ImageCdn, signal: AbortSignal): Promise<void> {
  for (const path of await listPages(dist)) {
    const html = await readFile(join(dist, path), 'utf8').catch(() => '');
    for (const address of addressesIn(html)) {
      while (!signal.aborted && cdn.busy() > 0) await sleep(250);
      if (signal.aborted) return;
      const answer = await cdn.handle(new Request(origin + address));
      await answer?.body?.cancel();
      await sleep(20);
    }
  }
}

/** Where visitors begin. */
const first = ['index.html', 'shop.html'];

async function listPages(dist: string): Promise<string[]> {
  const entries = await readdir(dist, { recursive: true }).catch(() => []);
  const rank = (path: string): number => (first.includes(path) ? first.indexOf(path) : first.length);
  return entries.filter((path) => path.endsWith('.html')).sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

function addressesIn(html: string): Set<string> {
  const found = html.matchAll(/\/\.netlify\/images\?[^"'\s<>]+/gu);
  return new Set([...found].map(([address]) => address.replaceAll('&#38;', '&').replaceAll('&amp;', '&').replace(/,$/u, '')));
}
