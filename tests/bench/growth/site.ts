import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Page } from '@playwright/test';
import * as z from 'zod';
import { supabaseAs } from '#tests/browser/support/running-shop.ts';
import {
  launchChromium,
  median,
  rebuild,
  startEmbeddedStack,
} from '#tests/bench/support/embedded-stack.ts';
import { slowDown } from '#tests/bench/support/slow-phone.ts';
import { shopSizes, type GrowthRow, type RowGroup, type ShopSize } from './row.ts';

const usageSchema = z.object({ userCPUTime: z.number(), systemCPUTime: z.number() });

/** Loaded into every process of the stack: the one that builds writes down what it used, however it ends. */
const recorder = `import { writeFileSync } from 'node:fs';
if (process.argv[1]?.endsWith('build-site.ts')) process.on('exit', () => writeFileSync(process.env.BENCH_USAGE, JSON.stringify(process.resourceUsage())));`;

const units = {
  'a build, processor time': 's',
  'a build after one edit, processor time': 's',
  'the site’s files': 'KB',
  '/shop, as sent': 'KB',
  'the index of the listing, as sent': 'KB',
  'the texts of the search, as sent': 'KB',
  'the list of the files of cards, as sent': 'KB',
  'files of the listing renamed by an edited description': 'files',
  'choosing a category, script at 4× CPU': 'ms',
  'a search, script at 4× CPU': 'ms',
  'a search with a wrong letter, script at 4× CPU': 'ms',
} as const;
type Name = keyof typeof units;
const names = Object.keys(units) as Name[];

/**
 * Puts values into a field of the listing, at a quarter of the processor's speed. Resolves to the median time in ms of the
 * script that finds the results and draws the first cards.
 */
async function scriptTime(
  page: Page,
  selector: string,
  values: readonly string[],
): Promise<number> {
  const times: number[] = [];
  for (const value of [values, values, values, values].flat()) {
    times.push(
      await page.evaluate(
        async ([field, chosen]) => {
          const control = document.querySelector<HTMLInputElement | HTMLSelectElement>(field);
          const cards = document.querySelector('[data-cards]');
          if (!control || !cards) throw new Error('The shop has no such field, or no cards');
          const changed = new Promise<number>((done) => {
            new MutationObserver(() => {
              done(performance.now());
            }).observe(cards, { childList: true });
          });
          // The listing waits for the frame that shows the choice; this waits just before it.
          let turn = performance.now();
          requestAnimationFrame(() => {
            setTimeout(() => {
              turn = performance.now();
            });
          });
          control.value = chosen;
          control.dispatchEvent(new Event('input', { bubbles: true }));
          return (await changed) - turn;
        },
        [selector, value] as const,
      ),
    );
    await page.waitForFunction(() => !document.querySelector('[data-cards] [aria-busy]'));
  }
  return median(times);
}

/** The script times of a filter, a search and a search with a wrong letter. */
async function listingTimes(
  origin: string,
): Promise<Record<Extract<Name, `${string}4× CPU`>, number>> {
  const browser = await launchChromium();
  const phone = { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true };
  const page = await browser.newPage(phone);
  await page.goto(`${origin}/shop`);
  await page.getByLabel('Search products').fill('a');
  await page.waitForURL(/q=a/u);
  await page.waitForFunction(() => !document.querySelector('[data-cards] [aria-busy]'));
  // Descriptions arrive with the first search.
  await page.waitForLoadState('networkidle');
  await slowDown(await page.context().newCDPSession(page));
  const wrong = ['jimiki', 'pearls moonstne', 'mulamottu', 'necklase'];
  const times = {
    'choosing a category, script at 4× CPU': await scriptTime(page, '#category', [
      ...['rings', 'earrings', 'watches', 'all'],
    ]),
    'a search, script at 4× CPU': await scriptTime(page, '#search', [
      ...['jimikki', 'pearl', 'ring', 'gold kasu'],
    ]),
    'a search with a wrong letter, script at 4× CPU': await scriptTime(page, '#search', wrong),
  };
  await browser.close();
  return times;
}

async function measureSite(size: ShopSize): Promise<Record<Name, number>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-growth-'));
  const usage = join(dataDir, 'usage.json');
  const dist = join(dataDir, 'dist');
  const readSeconds = async (): Promise<number> => {
    const used = usageSchema.parse(JSON.parse(await readFile(usage, 'utf8')));
    return (used.userCPUTime + used.systemCPUTime) / 1e6;
  };
  const listFiles = (): Promise<string[]> => readdir(dist, { recursive: true });
  try {
    const seed = spawn(
      process.execPath,
      ['local/seed.ts', '--products', String(shopSizes[size].products)],
      {
        env: { ...process.env, SHOP_DATA_DIR: dataDir },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const [code] = (await once(seed, 'exit')) as [number];
    if (code !== 0) throw new Error(`The seed ended with ${String(code)}`);
    const loader = `--import=data:text/javascript,${encodeURIComponent(recorder)}`;
    const stack = await startEmbeddedStack(dataDir, {
      env: { BENCH_USAGE: usage, NODE_OPTIONS: loader },
    });
    try {
      const build = await readSeconds();
      const files = await listFiles();
      const sent = async (pattern: RegExp): Promise<number> => {
        const content = await readFile(join(dist, files.find((file) => pattern.test(file)) ?? ''));
        return (await promisify(brotliCompress)(content)).length / 1024;
      };
      let bytes = 0;
      for (const file of files) bytes += (await stat(join(dist, file))).size;
      const sizes = {
        'the site’s files': bytes / 1024,
        '/shop, as sent': await sent(/^shop\.html$/u),
        'the index of the listing, as sent': await sent(/_astro\/catalogue\./u),
        'the texts of the search, as sent': await sent(/_astro\/search\./u),
        'the list of the files of cards, as sent': await sent(/_astro\/card-files\./u),
      };
      const times = await listingTimes(stack.origin);
      const product = files.find((file) => /^product\/[\da-f-]{36}\.html$/u.test(file)) ?? '';
      const { error } = await supabaseAs('shop')
        .from('products')
        .update({ description: 'Another description' })
        .eq('id', product.slice(-41, -5));
      if (error) throw new Error(error.message);
      await rebuild(stack.origin);
      const renamed = (await listFiles()).filter(
        (file) => /^_astro\/.*\.json$/u.test(file) && !files.includes(file),
      );
      return {
        'a build, processor time': build,
        'a build after one edit, processor time': await readSeconds(),
        'files of the listing renamed by an edited description': renamed.length,
        ...sizes,
        ...times,
      };
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

export const siteRows = (chosen: (name: string) => boolean): RowGroup => ({
  names: names.filter(chosen),
  async measure() {
    const [small, large] = [await measureSite('small'), await measureSite('large')];
    return names.filter(chosen).map((name): GrowthRow => ({
      name,
      times: 10,
      sizes: '1,000 → 10,000 products',
      unit: units[name],
      small: { cost: small[name], bytes: 0 },
      large: { cost: large[name], bytes: 0 },
    }));
  },
});
