/*
 * The shop at several sizes: `npm run bench -- catalogue [sizes]`, such as `24,1000,10000`. Seeds a data folder of its own
 * for each, starts the shop, which builds it, and measures what was built, what an edit of one product costs and how fast a filter answers on a slow phone.
 * Times are of this machine at this moment; the processor's time says more than the clock's when others use it, too.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Page } from '@playwright/test';
import * as z from 'zod';
import { supabaseAs } from '../browser/support/running-shop.ts';
import { launchChromium, median, rebuild, startEmbeddedStack } from './support/embedded-stack.ts';
import { slowDown } from './support/slow-phone.ts';

const sizes = (process.argv[2] ?? '24,1000,10000').split(',').map(Number);
const usageSchema = z.object({
  userCPUTime: z.number(),
  systemCPUTime: z.number(),
  maxRSS: z.number(),
  seconds: z.number(),
});

/** Loaded into every process of the stack: the one that builds writes down what it used, however it ends. */
const recorder = `import { writeFileSync } from 'node:fs';
if (process.argv[1]?.endsWith('build-site.ts')) process.on('exit', () => writeFileSync(process.env.BENCH_USAGE, JSON.stringify({ ...process.resourceUsage(), seconds: process.uptime() })));`;

/** The size of a file of the build as it is sent, in KiB. */
async function sentSize(file: string): Promise<string> {
  return ((await promisify(brotliCompress)(await readFile(file))).length / 1024).toFixed(1);
}

/**
 * Puts values into a field of the listing, at a quarter of the processor's speed. Resolves to the median time in ms of the
 * script that finds the results and draws the first cards.
 */
async function scriptTime(
  page: Page,
  selector: string,
  values: readonly string[],
): Promise<string> {
  const times: number[] = [];
  for (const value of values) {
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
  return median(times).toFixed(0);
}

/** The script times of a filter, a search and a search with a wrong letter. */
async function listingTimes(page: Page, origin: string): Promise<Record<string, string>> {
  await page.goto(`${origin}/shop`);
  await page.getByLabel('Search products').fill('a');
  await page.waitForURL(/q=a/u);
  await page.waitForFunction(() => !document.querySelector('[data-cards] [aria-busy]'));
  // Descriptions arrive with the first search.
  await page.waitForLoadState('networkidle');
  await slowDown(await page.context().newCDPSession(page));
  const fourTimes = (field: string, ...values: string[]): Promise<string> =>
    scriptTime(page, field, [values, values, values, values].flat());
  return {
    'filter at 4x ms': await fourTimes('#category', 'rings', 'earrings', 'watches', 'all'),
    'search at 4x ms': await fourTimes('#search', 'jimikki', 'pearl', 'ring', 'gold kasu'),
    'wrong letter at 4x ms': await fourTimes(
      ...(['#search', 'jimiki', 'pearls moonstne', 'mulamottu', 'necklase'] as const),
    ),
  };
}

/** What the last build cost. */
async function readUsage(
  file: string,
): Promise<[clock: string, processor: string, memory: string]> {
  const used = usageSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  return [
    used.seconds.toFixed(1),
    ((used.userCPUTime + used.systemCPUTime) / 1e6).toFixed(1),
    ((used.maxRSS * 1024) / 1e6).toFixed(0),
  ];
}

async function measure(size: number): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-catalogue-'));
  const usage = join(dataDir, 'usage.json');
  const loader = `--import=data:text/javascript,${encodeURIComponent(recorder)}`;
  try {
    const seed = spawn(process.execPath, ['local/seed.ts', '--products', String(size)], {
      env: { ...process.env, SHOP_DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(seed, 'exit')) as [number];
    if (code !== 0)
      throw new Error(`The seed of ${String(size)} products ended with ${String(code)}`);
    const env = { BENCH_USAGE: usage, NODE_OPTIONS: loader };
    const stack = await startEmbeddedStack(dataDir, { env });
    const build = await readUsage(usage);
    const dist = join(dataDir, 'dist');
    const files = await readdir(dist, { recursive: true });
    const sizeOf = async (pattern: RegExp): Promise<string> =>
      sentSize(join(dist, files.find((file) => pattern.test(file)) ?? ''));
    const built = {
      pages: String(files.filter((file) => file.endsWith('.html')).length),
      '/shop KB': await sizeOf(/^shop\.html$/u),
      'a category KB': await sizeOf(/^shop\/rings\.html$/u),
      'index KB': await sizeOf(/_astro\/catalogue\./u),
      'search KB': await sizeOf(/_astro\/search\./u),
      'a file of cards KB': await sizeOf(/_astro\/cards-0\./u),
    };
    const browser = await launchChromium();
    const phone = { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true };
    const times = await listingTimes(await browser.newPage(phone), stack.origin);
    await browser.close();
    const product = files.find((file) => /^product\/[\da-f-]{36}\.html$/u.test(file)) ?? '';
    const { error } = await supabaseAs('shop')
      .from('products')
      .update({ price: 987_654 })
      .eq('id', product.slice(-41, -5));
    if (error) throw new Error(error.message);
    await rebuild(stack.origin);
    const edit = await readUsage(usage);
    await stack.stop();
    return {
      products: String(size),
      'build, clock s': build[0],
      'build, processor s': build[1],
      'build, memory MB': build[2],
      'an edit, clock s': edit[0],
      'an edit, processor s': edit[1],
      'an edit, memory MB': edit[2],
      ...built,
      ...times,
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const rows: Record<string, string>[] = [];
for (const size of sizes) rows.push(await measure(size));
for (const name of Object.keys(rows[0] ?? {})) {
  console.log(
    `| ${name.padEnd(37)} | ${rows.map((row) => (row[name] ?? '').padStart(11)).join(' | ')} |`,
  );
}
