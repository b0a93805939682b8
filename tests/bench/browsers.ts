/*
 * `npm run bench -- browsers [--only firefox|webkit] [--width 390|1280]`: a customer's way through the shop and the admin's day
 * in Firefox and in WebKit, the engine of Safari, at a phone's and a desktop's width. After each step the page must not
 * be wider than the viewport, no two controls may overlap, and the console must have no error. Screenshots lie in
 * test-results/browsers. With PORT and SHOP_DATA_DIR it runs on the stack that is there already.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { isoDateInIndia } from '../../src/domain/india-month.ts';
import { insertRows, runningShop, supabaseAs } from '../browser/support/running-shop.ts';
import { adminSteps } from './browsers/admin-walk.ts';
import { waitUntil, type Engine, type EngineKind } from './browsers/engine.ts';
import { firefox } from './browsers/firefox.ts';
import { controlBoxes, overflowOf } from './browsers/in-page.ts';
import { findOverlaps } from './browsers/overlap.ts';
import { Page } from './browsers/page.ts';
import { ring, shopperSteps, type Bought, type Step } from './browsers/shopper-walk.ts';
import { webkit } from './browsers/webkit.ts';
import { startEmbeddedStack } from './embedded-stack.ts';

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, width: { type: 'string' } },
});
const heights: Readonly<Record<string, number>> = { 390: 844, 1280: 900 };
const kinds = [firefox, webkit].filter(({ name }) => (options.only ?? name) === name);
const widths = Object.keys(heights).filter((width) => (options.width ?? width) === width);
const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'test-results/browsers');

/** The faults that the checks after a step find, one sentence each. */
async function faultsOf(page: Page, engine: Engine): Promise<string[]> {
  await page.ready();
  // The step may end while a redirect is under way: between two pages there is nothing to measure.
  const { wider, boxes } = await waitUntil('a page to check', async () => ({
    wider: await page.script(overflowOf, []),
    boxes: await page.script(controlBoxes, []),
  }));
  return [
    ...(wider > 0 ? [`The page is ${String(wider)} px wider than the viewport`] : []),
    ...findOverlaps(boxes),
    ...(await engine.takeErrors()).map((text) => `Console: ${text}`),
  ];
}

/** Walks the steps in a browser of their own up to the first that cannot be done; resolves to the faults and the seconds. */
async function walk(
  kind: EngineKind,
  width: string,
  steps: readonly Step[],
): Promise<{ faults: string[]; seconds: number[] }> {
  const engine = await kind.start();
  const page = new Page(engine, runningShop().url, width === '390');
  const faults: string[] = [];
  const seconds: number[] = [];
  try {
    await engine.resize(Number(width), heights[width] ?? 900);
    for (const [name, work] of steps) {
      const began = performance.now();
      const found: string[] = [];
      let isDone = true;
      try {
        await work(page);
      } catch (error) {
        isDone = false;
        found.push(error instanceof Error ? error.message : String(error));
      }
      found.push(...(await faultsOf(page, engine)));
      const file = join(folder, `${kind.name}-${width}-${name.replaceAll(/\W+/gu, '-')}.png`);
      await writeFile(file, await engine.screenshot());
      const took = (performance.now() - began) / 1000;
      seconds.push(took);
      console.log(
        `${found.length === 0 ? 'ok   ' : 'FAULT'} ${kind.name} ${width} px: ${name} (${took.toFixed(1)} s)`,
      );
      for (const message of found) console.log(`      ${message}`);
      faults.push(
        ...found.map(
          (message) => `${name}, ${kind.name}, ${width} px: ${message} (${relative(root, file)})`,
        ),
      );
      if (!isDone) break;
    }
  } finally {
    await engine.close();
  }
  return { faults, seconds };
}

async function prepareShop(code: string): Promise<void> {
  const sizes = ['10', '12', '14', '16'].map((size) => ({ size, stock: 50 }));
  const { error } = await supabaseAs('shop').from('products').update({ sizes }).eq('name', ring);
  if (error) throw new Error(error.message);
  const day = isoDateInIndia(new Date().toISOString());
  await insertRows('discount_codes', [{ code, percent: 10, first_day: day, last_day: day }]);
}

async function walkAll(code: string): Promise<void> {
  const image = join(folder, 'bangle.jpg');
  await sharp({ create: { width: 1200, height: 1200, channels: 3, background: '#b8860b' } })
    .jpeg()
    .toFile(image);
  await prepareShop(code);
  const faults: string[] = [];
  const rows: string[] = [];
  for (const kind of kinds)
    for (const width of widths) {
      const bought: Bought = { order: '' };
      const day = {
        ...{ password: runningShop().adminPassword, image },
        product: `Bangle ${kind.name} ${width} ${code.slice(-6)}`,
      };
      const shopper = await walk(kind, width, shopperSteps(code, bought));
      const admin =
        bought.order === ''
          ? { faults: ['The admin’s day needs a paid order'], seconds: [] }
          : await walk(kind, width, adminSteps(day, bought));
      faults.push(...shopper.faults, ...admin.faults);
      const count = shopper.seconds.length + admin.seconds.length;
      const sum = [...shopper.seconds, ...admin.seconds].reduce((a, b) => a + b, 0);
      rows.push(
        `| ${kind.name} | ${width} | ${String(count)} | ${String(shopper.faults.length + admin.faults.length)} | ${sum.toFixed(0)} |`,
      );
    }
  console.log(
    ['', '| engine | width | steps | faults | seconds |', '|---|---|---|---|---|', ...rows].join(
      '\n',
    ),
  );
  for (const fault of faults) console.error(`Fault: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

const missing = kinds.map((kind) => kind.missing()).filter((sentence) => sentence !== null);
if (kinds.length === 0 || widths.length === 0) {
  console.error('Usage: npm run bench -- browsers [--only firefox|webkit] [--width 390|1280]');
  process.exitCode = 1;
} else if (missing.length > 0) {
  console.error(missing.join('\n'));
  process.exitCode = 1;
} else {
  const began = performance.now();
  await mkdir(folder, { recursive: true });
  const code = `WALK-${String(Date.now()).slice(-8)}`;
  if (process.env['SHOP_DATA_DIR'] === undefined) {
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-browsers-'));
    process.env['SHOP_DATA_DIR'] = dataDir;
    const stack = await startEmbeddedStack(dataDir);
    try {
      await walkAll(code);
    } finally {
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  } else await walkAll(code);
  console.log(`${((performance.now() - began) / 1000).toFixed(0)} s in all`);
}
