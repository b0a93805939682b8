import type { Browser, Locator, Page } from '@playwright/test';
import { countTraffic } from '../browser/support/traffic.ts';

/** Costs of a first visit: KiB of bodies, milliseconds, layout shift. `tap` is null where nothing can be put into a cart. */
export interface Visit {
  KB: number;
  requests: number;
  LCP: number;
  /** The part beyond 50 ms of each long task until a second after nothing loads any more. */
  TBT: number;
  CLS: number;
  /**
   * Event Timing's duration of a press on Add to Cart, in steps of 8 ms, to the frame with the answer. Without scripts: to
   * the frame that shows the button pressed, which is what the machine and the browser take in any case.
   */
  tap: number | null;
}

/** A phone as peers were measured on: 1.6 Mbit/s, 150 ms to the server, a quarter of this machine's speed. */
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_638_400 / 8,
  uploadThroughput: 750_000 / 8,
  connectionType: 'cellular4g',
} as const;
const cpuSlowdown = 4;

interface Timings {
  lcp: number;
  cls: number;
  tbt: number;
  tap: number;
}
declare global {
  interface Window {
    benchTimings: Timings;
  }
}

/** Keeps the browser's own measures in the page from its first moment. */
function observe(): void {
  const record: Timings = { lcp: 0, cls: 0, tbt: 0, tap: 0 };
  window.benchTimings = record;
  const watch = (type: string, take: (entry: PerformanceEntry) => void, more = {}): void => {
    new PerformanceObserver((list) => {
      list.getEntries().forEach(take);
    }).observe({ type, buffered: true, ...more });
  };
  watch('largest-contentful-paint', (entry) => {
    record.lcp = entry.startTime;
  });
  watch('layout-shift', (entry) => {
    if ('value' in entry && 'hadRecentInput' in entry && entry.hadRecentInput === false)
      record.cls += Number(entry.value);
  });
  watch('longtask', (entry) => {
    record.tbt += Math.max(0, entry.duration - 50);
  });
  watch(
    'event',
    (entry) => {
      if (entry.name === 'pointerup' || entry.name === 'click' || entry.name === 'pointerdown')
        record.tap = Math.max(record.tap, entry.duration);
    },
    { durationThreshold: 16 },
  );
}

const read = async (page: Page): Promise<Timings> => page.evaluate(() => window.benchTimings);

const seconds = async (page: Page, count: number): Promise<void> =>
  page.evaluate(async (ms) => {
    await new Promise((done) => setTimeout(done, ms));
  }, count * 1000);

/** Touches the middle of an element, without Playwright's own listeners in the page, which take part of the time that is measured. */
export async function touch(page: Page, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('There is nothing to touch');
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
}

/** Presses Add to Cart, off the screen's edge, at a slow processor. Null where there is no such button. */
async function pressAddToCart(page: Page): Promise<number | null> {
  const button = page
    .locator('add-to-cart button:enabled, [name="add"], button:has-text("Add to cart")')
    .first();
  if ((await button.count()) === 0) return null;
  await button.scrollIntoViewIfNeeded();
  // Work that looking around sets off is over before the press: the press is measured.
  await page.mouse.move(5, 400, { steps: 2 });
  await seconds(page, 1);
  await page.evaluate(() => {
    window.benchTimings.tap = 0;
  });
  await touch(page, button);
  await seconds(page, 0.5);
  // Nothing is reported below the threshold.
  return Math.max((await read(page)).tap, 16);
}

/** Visits a page with an empty cache, and presses its Add to Cart. */
export async function visit(browser: Browser, address: string): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
  });
  try {
    const page = await context.newPage();
    const traffic = await countTraffic(page);
    const session = await context.newCDPSession(page);
    await session.send('Network.emulateNetworkConditions', network);
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
    await page.addInitScript(observe);
    await page.goto(address, { waitUntil: 'load' });
    await traffic.quiet();
    await seconds(page, 1);
    const { lcp, cls, tbt } = await read(page);
    const KB = [...traffic.bytes.values()].reduce((sum, size) => sum + size, 0) / 1024;
    const requests = traffic.requests();
    return { KB, requests, LCP: lcp, TBT: tbt, CLS: cls, tap: await pressAddToCart(page) };
  } finally {
    await context.close();
  }
}
