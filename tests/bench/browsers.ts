/*
 * `npm run bench -- browsers [--only NAME] [--width 390|1280]`: a customer's way through the shop and the admin's day in the oldest
 * Chromium of the line (src/domain/browsers.ts), in today's with Safari's gaps, in Firefox, and in WebKit, the engine of Safari, at a
 * phone's and a desktop's width. After each step the page must not be wider than the viewport, no two controls may overlap, and the
 * console must have no error. Screenshots lie in test-results/browsers. With PORT and SHOP_DATA_DIR it runs on the stack that is
 * there already.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { isoDateInIndia } from '#domain/india-month.ts';
import { insertRows, runningShop, supabaseAs } from '#tests/browser/support/running-shop.ts';
import { firefox } from './browsers/firefox.ts';
import { controlBoxes, overflowOf } from './browsers/in-page.ts';
import { findOverlaps } from './browsers/overlap.ts';
import { oldBrowsers } from './browsers/old-browsers.ts';
import { Page } from './browsers/page.ts';
import { waitUntil } from './browsers/processes.ts';
import { ring, walkAsAdmin, walkAsCustomer, type Done } from './browsers/walks.ts';
import type { EngineKind } from './browsers/webdriver.ts';
import { webkit } from './browsers/webkit.ts';
import { withStack } from './support/embedded-stack.ts';

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, width: { type: 'string' } },
});
const heights: Readonly<Record<string, number>> = { 390: 844, 1280: 900 };
const pairs = [
  ...oldBrowsers,
  ...[firefox, webkit].map((kind) => ({ customer: kind, admin: kind })),
].filter(({ customer: { name } }) => (options.only ?? name) === name);
const widths = Object.keys(heights).filter((width) => (options.width ?? width) === width);
const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'test-results/browsers');
const faults: string[] = [];

/** The faults that the checks after a step find, one sentence each. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.ready();
  // The step may end while a redirect is under way: between two pages there is nothing to measure.
  const { wider, boxes } = await waitUntil('a page to check', async () => ({
    wider: await page.script(overflowOf, []),
    boxes: await page.script(controlBoxes, []),
  }));
  return [
    ...(wider > 0 ? [`The page is ${String(wider)} px wider than the viewport`] : []),
    ...findOverlaps(boxes),
    ...(await page.takeErrors()).map((text) => `Console: ${text}`),
  ];
}

/** Walks in a browser of its own, up to the first action that cannot be done. Resolves to the walk's result. */
async function walk<T>(
  kind: EngineKind,
  width: string,
  work: (page: Page, done: Done) => Promise<T>,
): Promise<T | null> {
  const page = await Page.start(kind, runningShop().url);
  let last = 'the start';
  const report = async (step: string, found: readonly string[]): Promise<void> => {
    const all = [...found, ...(await faultsOf(page))];
    const file = join(folder, `${kind.name}-${width}-${step.replaceAll(/\W+/gu, '-')}.png`);
    await writeFile(file, await page.screenshot());
    const where = `${kind.name}, ${width} px: ${step}`;
    console.log(`${all.length === 0 ? 'ok   ' : 'FAULT'} ${where}`);
    for (const fault of all) console.log(`      ${fault}`);
    faults.push(...all.map((fault) => `${where}: ${fault} (${relative(root, file)})`));
    last = step;
  };
  try {
    await page.resize(Number(width), heights[width] ?? 900);
    return await work(page, (step) => report(step, []));
  } catch (error) {
    await report(`after ${last}`, [error instanceof Error ? error.message : String(error)]);
    return null;
  } finally {
    await page.close();
  }
}

/** Walks with each pair at each width, as a customer and then as the admin, in a shop with sizes and a discount code. */
async function walkAll(): Promise<void> {
  const code = `WALK-${String(Date.now()).slice(-8)}`;
  const sizes = ['10', '12', '14', '16'].map((size) => ({ size, stock: 50 }));
  const { error } = await supabaseAs('shop').from('products').update({ sizes }).eq('name', ring);
  if (error) throw new Error(error.message);
  const day = isoDateInIndia(new Date().toISOString());
  await insertRows('discount_codes', [{ code, percent: 10, first_day: day, last_day: day }]);
  await mkdir(folder, { recursive: true });
  const image = join(folder, 'bangle.jpg');
  await sharp({ create: { width: 1200, height: 1200, channels: 3, background: '#b8860b' } })
    .jpeg()
    .toFile(image);
  for (const { customer, admin } of pairs)
    for (const width of widths) {
      const order = await walk(customer, width, (page, done) => walkAsCustomer(page, done, code));
      const product = `Bangle ${customer.name} ${width} ${code.slice(-6)}`;
      const { adminPassword: password } = runningShop();
      if (order === null) faults.push('The admin’s day needs a paid order');
      else
        await walk(admin, width, (page, done) =>
          walkAsAdmin(page, done, { order, password, image, product }),
        );
    }
  for (const fault of faults) console.error(`Fault: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

const missing = pairs
  .flatMap(({ customer, admin }) => [...new Set([customer, admin])])
  .map((kind) => kind.missing())
  .filter((sentence) => sentence !== null);
if (pairs.length === 0 || widths.length === 0)
  missing.push(
    'Usage: npm run bench -- browsers [--only oldest-chromium|safari-gaps|firefox|webkit] [--width 390|1280]',
  );
if (missing.length > 0) {
  console.error(missing.join('\n'));
  process.exitCode = 1;
} else if (process.env['SHOP_DATA_DIR'] === undefined) await withStack(walkAll);
else await walkAll();
