/*
 * `npm run bench -- taps [--runs N]`: how long the shop takes to answer a press, a key and a choice on a slow phone, from the
 * event to the frame with the answer (Event Timing, steps of 8 ms): the worst event of each interaction, median of the runs. Beside
 * it a button of a page without scripts, which is what browser and machine take in any case.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Locator, type Page } from '@playwright/test';
import { findChromium } from '../browser/support/chromium.ts';
import { startEmbeddedStack } from './embedded-stack.ts';
import { touch } from './page-visit.ts';

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '7' }, origin: { type: 'string' } },
});
const cpuSlowdown = 4;
/** Event Timing tells of nothing shorter. */
const leastMs = 16;

interface Interaction {
  name: string;
  path: string;
  /** Preparation that is not measured. */
  before?: (page: Page) => Promise<void>;
  /** The touched element, brought into view before; or the pressed key. */
  what: ((page: Page) => Locator) | string;
  scripts?: false;
}

const button =
  (name: RegExp | string) =>
  (page: Page): Locator =>
    page.getByRole('button', { name }).filter({ visible: true }).first();
/** The index of the whole catalogue comes with the first touch of a control, or was there before it. */
const touchSearch = async (page: Page): Promise<void> => {
  await page.getByLabel('Search products').tap();
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /catalogue\.\w+\.json/u.test(name)),
  );
};

const interactions: readonly Interaction[] = [
  {
    name: 'a button without scripts',
    path: '/shop',
    scripts: false,
    what: (page) => page.locator('add-to-cart button').first(),
  },
  { name: 'Add to Cart on home', path: '/', what: button(/^Add to Cart/u) },
  { name: 'Add to Cart on /shop', path: '/shop', what: button(/^Add to Cart/u) },
  { name: 'Add to Cart on a product', path: 'product', what: button(/^Add to Cart/u) },
  { name: 'one more, on a product', path: 'product', what: button('Increase quantity') },
  {
    name: 'one more, in the cart',
    path: 'product',
    before: async (page) => {
      await touch(page, button(/^Add to Cart/u)(page));
      await page.goto(new URL('/cart', page.url()).href);
      await page.getByRole('button', { name: /^Increase quantity of/u }).waitFor();
    },
    what: button(/^Increase quantity of/u),
  },
  { name: 'a heart', path: '/shop', what: button(/^Add .* to wishlist/u) },
  { name: 'a letter of a search', path: '/shop', before: touchSearch, what: 'r' },
  {
    name: 'another order',
    path: '/shop',
    before: async (page) => {
      await touchSearch(page);
      await page.getByLabel('Sort').focus();
    },
    what: 'ArrowDown',
  },
  {
    name: 'a filter',
    path: '/shop',
    before: async (page) => {
      await touch(page, button(/^Filter/u)(page));
      await page.getByRole('checkbox', { name: /^Silver/u }).waitFor();
    },
    what: (page) => page.getByRole('checkbox', { name: /^Silver/u }),
  },
];

declare global {
  interface Window {
    worstEventMs: number;
  }
}

/** Milliseconds from the worst event of the interaction to its frame. */
async function measure(
  browser: Browser,
  origin: string,
  product: string,
  { path, before, what, scripts }: Interaction,
): Promise<number> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
  });
  try {
    const page = await context.newPage();
    if (scripts === false) await page.route('**/*.js', (route) => route.abort());
    await page.addInitScript((least) => {
      window.worstEventMs = 0;
      const threshold = { durationThreshold: least };
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          if ((entry as PerformanceEventTiming).interactionId > 0)
            window.worstEventMs = Math.max(window.worstEventMs, entry.duration);
      }).observe({ type: 'event', ...threshold });
    }, leastMs);
    await page.goto(origin + (path === 'product' ? product : path), { waitUntil: 'load' });
    const pause = async (ms: number): Promise<void> =>
      page.evaluate(async (time) => {
        await new Promise((done) => setTimeout(done, time));
      }, ms);
    // The first movement on a page sets off what it has put off; here it is the press that is measured.
    await page.mouse.move(5, 400, { steps: 2 });
    await before?.(page);
    if (typeof what !== 'string') await what(page).scrollIntoViewIfNeeded();
    await pause(800);
    await (
      await context.newCDPSession(page)
    ).send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
    await pause(200);
    await page.evaluate(() => {
      window.worstEventMs = 0;
    });
    if (typeof what === 'string') await page.keyboard.press(what);
    else await touch(page, what(page));
    await pause(600);
    return Math.max(leastMs, await page.evaluate(() => window.worstEventMs));
  } finally {
    await context.close();
  }
}

const executablePath = findChromium();
const browser = await chromium.launch({
  args: ['--no-sandbox', '--disable-gpu'],
  ...(executablePath === null ? {} : { executablePath }),
});
const dataDir = options.origin === undefined ? await mkdtemp(join(tmpdir(), 'bench-taps-')) : null;
const stack = dataDir === null ? null : await startEmbeddedStack(dataDir);
try {
  const origin = stack?.origin ?? options.origin ?? '';
  const [product = ''] =
    /\/product\/[\da-f-]{36}/u.exec(await (await fetch(`${origin}/shop`)).text()) ?? [];
  console.log(
    `Load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(
        ', ',
      )}; ${options.runs} runs at a quarter of the processor's speed\n\n| interaction | ms | least – most |\n|---|---|---|`,
  );
  for (const interaction of interactions) {
    const times: number[] = [];
    for (let run = 0; run < Number(options.runs); run += 1)
      times.push(await measure(browser, origin, product, interaction));
    times.sort((a, b) => a - b);
    console.log(
      `| ${interaction.name} | ${String(times[times.length >> 1])} | ${String(times[0])} – ${String(times.at(-1))} |`,
    );
  }
} finally {
  await browser.close();
  await stack?.stop();
  if (dataDir !== null) await rm(dataDir, { recursive: true, force: true });
}
