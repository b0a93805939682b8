/*
 * The shop's pages on a slow phone: `npm run bench -- pages [--runs N] [--against URL]`. Home, /shop and a product's page, by
 * turns with the same pages without their script files (the bare pages), so that whatever else the machine does falls on
 * both. `--against` measures another site as well; its listing and a product are found by its links, or named:
 * `--paths /,/collections/all,/products/x`. Times are of this machine at this moment: compare the ratios.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Browser } from '@playwright/test';
import { countShifts } from '#tests/browser/support/page-state.ts';
import { countTraffic } from '#tests/browser/support/traffic.ts';
import { launchChromium, median, withStack } from './support/embedded-stack.ts';
import { blockScripts, onPhone, slowDown } from './support/slow-phone.ts';

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    against: { type: 'string' },
    paths: { type: 'string' },
  },
});
const runs = Number(options.runs);

/** Costs of a first visit: KiB of bodies, ms, layout shift; with the decimals that are printed. */
const decimals = { KB: 1, requests: 0, LCP: 0, TBT: 0, CLS: 3 };
type Kind = keyof typeof decimals;
const kinds = Object.keys(decimals) as Kind[];
type Visit = Record<Kind, number>;

declare global {
  interface Window {
    benchTimings: { lcp: number; tbt: number };
  }
}

/** Records the browser's own measures from the first moment of the page. */
function observe(): void {
  const record = { lcp: 0, tbt: 0 };
  window.benchTimings = record;
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) record.lcp = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) record.tbt += Math.max(0, duration - 50);
  }).observe({ type: 'longtask', buffered: true });
}

/** Visits a page with an empty cache: 1.6 Mbit/s, 150 ms to the server. */
const visit = (browser: Browser, address: string, isBare: boolean): Promise<Visit> =>
  onPhone(browser, async (page, session) => {
    const traffic = await countTraffic(page);
    const shifts = await countShifts(page);
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 1_638_400 / 8,
      uploadThroughput: 750_000 / 8,
      connectionType: 'cellular4g',
    });
    await slowDown(session);
    if (isBare) await blockScripts(session);
    await page.addInitScript(observe);
    await page.goto(address, { waitUntil: 'load' });
    await traffic.quiet();
    // The part beyond 50 ms of each long task counts until a second after nothing loads any more.
    await page.evaluate(async () => new Promise((done) => setTimeout(done, 1000)));
    const { lcp, tbt } = await page.evaluate(() => window.benchTimings);
    const bytes = [...traffic.bytes.values()].reduce((sum, size) => sum + size, 0);
    return {
      KB: bytes / 1024,
      requests: traffic.requests(),
      LCP: lcp,
      TBT: tbt,
      CLS: await shifts(),
    };
  });

/** Home, the listing and the first product that the listing links to. */
async function pathsOf(origin: string): Promise<string[]> {
  const html = await (await fetch(`${origin}/shop`)).text();
  const [product] = /\/product\/[\w-]+/u.exec(html) ?? [];
  if (product === undefined)
    throw new Error(`${origin}/shop links to no /product/…: name the pages with --paths`);
  return ['/', '/shop', product];
}

const middle = (visits: readonly Visit[], kind: Kind): number =>
  median(visits.map((one) => one[kind]));
const figures = (visits: readonly Visit[]): string =>
  kinds.map((kind) => middle(visits, kind).toFixed(decimals[kind])).join(' | ');

/** The largest LCP against the bare page, and how much more TBT in ms: the budgets of docs/measured.md. */
const budget = { lcpRatio: 1.1, moreTbt: 60 };

/** Prints a table's rows of one site. Returns the pages that are beyond the budget. */
async function measure(
  browser: Browser,
  name: string,
  origin: string,
  paths: readonly string[],
): Promise<string[]> {
  const beyond: string[] = [];
  for (const path of paths) {
    const label = path.startsWith('/product/') ? '/product' : path;
    const [whole, bare]: [Visit[], Visit[]] = [[], []];
    // The first of each fills the server's caches and is not counted.
    for (let run = 0; run <= runs; run += 1) {
      whole.push(await visit(browser, origin + path, false));
      bare.push(await visit(browser, origin + path, true));
      if (run === 0) whole.length = bare.length = 0;
    }
    const lcpRatio = middle(whole, 'LCP') / middle(bare, 'LCP');
    const moreTbt = middle(whole, 'TBT') - middle(bare, 'TBT');
    if (lcpRatio > budget.lcpRatio || moreTbt > budget.moreTbt) beyond.push(label);
    console.log(`| ${name}${label} | ${figures(whole)} | ${lcpRatio.toFixed(2)} |`);
    console.log(`| – without scripts | ${figures(bare)} | 1 |`);
  }
  return beyond;
}

await withStack(async ({ origin }) => {
  const browser = await launchChromium();
  const load = loadavg().map((each) => each.toFixed(1));
  console.log(`Load average ${load.join(', ')}; median of ${String(runs)} runs\n`);
  console.log(`| page | ${kinds.join(' | ')} | LCP / bare |\n|---|---|---|---|---|---|---|`);
  const beyond = await measure(browser, '', origin, await pathsOf(origin));
  if (options.against !== undefined) {
    const other = new URL(options.against);
    const paths = options.paths?.split(',') ?? (await pathsOf(other.origin));
    await measure(browser, `${other.host} `, other.origin, paths);
  }
  await browser.close();
  if (beyond.length > 0) console.log(`\nBEYOND THE BUDGET: ${beyond.join(', ')}`);
});
