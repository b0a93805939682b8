/*
 * The shop's pages on a slow phone: `npm run bench -- pages [--runs N] [--against URL]`. Home, /shop and a product's page, and
 * in the same run the same pages with every script stripped (the bare page), by turns, so that whatever else the machine does
 * falls on both. `--against` measures another site besides; its listing and a product are found by its links, or named:
 * `--paths /,/collections/all,/products/x`. Times are of this machine at this moment: compare the ratios.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser } from '@playwright/test';
import { findChromium } from '../browser/support/chromium.ts';
import { startEmbeddedStack } from './embedded-stack.ts';
import { visit, type Visit } from './page-visit.ts';
import { startStrippingProxy } from './stripping-proxy.ts';

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    against: { type: 'string' },
    paths: { type: 'string' },
    origin: { type: 'string' },
  },
});
const runs = Number(options.runs);
const kinds = ['KB', 'requests', 'LCP', 'TBT', 'CLS'] as const;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const middle = (visits: readonly Visit[]): Visit => {
  const of = (read: (one: Visit) => number | null): number =>
    median(visits.flatMap((one) => read(one) ?? []));
  const tap = of((one) => one.tap);
  return {
    KB: of((one) => one.KB),
    requests: of((one) => one.requests),
    LCP: of((one) => one.LCP),
    TBT: of((one) => one.TBT),
    CLS: of((one) => one.CLS),
    tap: Number.isNaN(tap) ? null : tap,
  };
};

/** Home, the listing and the first product that the listing links to. */
async function pathsOf(origin: string): Promise<string[]> {
  const html = await (await fetch(`${origin}/shop`)).text();
  const [product] = /\/product\/[\w-]+/u.exec(html) ?? [];
  if (product === undefined)
    throw new Error(`${origin}/shop links to no /product/…: name the pages with --paths`);
  return ['/', '/shop', product];
}

const figures = (visit: Visit): string =>
  [
    visit.KB.toFixed(1),
    String(visit.requests),
    visit.LCP.toFixed(0),
    visit.TBT.toFixed(0),
    visit.CLS.toFixed(3),
    visit.tap?.toFixed(0) ?? '–',
  ].join(' | ');

/** Prints a table's rows of one site. Returns LCP against the bare page, by page. */
async function measure(
  browser: Browser,
  name: string,
  origin: string,
  paths: readonly string[],
): Promise<Map<string, number>> {
  const ratios = new Map<string, number>();
  const proxy = await startStrippingProxy(origin);
  for (const path of paths) {
    const label = path.startsWith('/product/') ? '/product' : path;
    const whole: Visit[] = [];
    const bareVisits: Visit[] = [];
    // The first of each fills the server's caches and is not counted.
    for (let run = 0; run <= runs; run += 1) {
      const pair = [
        await visit(browser, proxy.whole + path),
        await visit(browser, proxy.stripped + path),
      ] as const;
      if (run === 0) continue;
      whole.push(pair[0]);
      bareVisits.push(pair[1]);
    }
    const [page, bare] = [middle(whole), middle(bareVisits)];
    const ratio = page.LCP / bare.LCP;
    ratios.set(label, ratio);
    console.log(
      `| ${name}${label} | ${figures(page)} | ${page.tap === null || bare.tap === null ? '–' : (page.tap / bare.tap).toFixed(2)} | ${ratio.toFixed(2)} |`,
    );
    console.log(`| – without scripts | ${figures(bare)} | 1 | 1 |`);
  }
  proxy.close();
  return ratios;
}

/** The ratios of docs/performance.md, by page. */
async function writtenRatios(): Promise<Map<string, number>> {
  const text = await readFile(resolve(import.meta.dirname, '../../docs/performance.md'), 'utf8');
  return new Map(
    [...text.matchAll(/^\| (\/\w*) \|.*\| ([\d.]+) \|$/gmu)].map(([, path = '', ratio]) => [
      path,
      Number(ratio),
    ]),
  );
}

const executablePath = findChromium();
const browser = await chromium.launch({
  args: ['--no-sandbox', '--disable-gpu'],
  ...(executablePath === null ? {} : { executablePath }),
});
const dataDir = options.origin === undefined ? await mkdtemp(join(tmpdir(), 'bench-pages-')) : null;
const stack = dataDir === null ? null : await startEmbeddedStack(dataDir);
try {
  const origin = stack?.origin ?? options.origin ?? '';
  console.log(
    `Load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}; median of ${String(runs)} runs\n`,
  );
  console.log(
    `| page | ${kinds.join(' | ')} | tap | tap / bare | LCP / bare |\n|---|---|---|---|---|---|---|---|---|`,
  );
  const ratios = await measure(browser, '', origin, await pathsOf(origin));
  if (options.against !== undefined) {
    const other = new URL(options.against).origin;
    await measure(
      browser,
      `${new URL(other).host} `,
      other,
      options.paths?.split(',') ?? (await pathsOf(other)),
    );
  }
  for (const [path, written] of await writtenRatios()) {
    const ratio = ratios.get(path);
    if (ratio !== undefined && ratio > written * 1.1)
      console.log(
        `\nWORSE: ${path} is at ${ratio.toFixed(2)} of the bare page, ${written.toFixed(2)} in docs/performance.md`,
      );
  }
} finally {
  await browser.close();
  await stack?.stop();
  if (dataDir !== null) await rm(dataDir, { recursive: true, force: true });
}
