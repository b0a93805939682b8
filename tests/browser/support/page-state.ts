import type { Page } from '@playwright/test';
import { twoFrames } from './traffic.ts';

/** Waits until every script of the page has taken over its part: custom elements defined, islands hydrated. */
export async function untilScripted(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector(':not(:defined, astro-slot), astro-island[ssr]') === null,
  );
}

/** Waits until the page is scripted and drawn in its own fonts. */
export async function untilDrawn(page: Page): Promise<void> {
  await untilScripted(page);
  await page.evaluate(async () => document.fonts.ready);
  await twoFrames(page);
}

/** Throws when the page shows no text: nothing on an empty page is too wide or moves. */
async function expectText(page: Page): Promise<void> {
  const text = await page.evaluate(() => document.body.innerText.trim());
  if (text === '') throw new Error(`Nothing was measured: ${page.url()} shows no text`);
}

/** Counts from the next page on how far things move by themselves; the answer tells the sum on the present page. */
export async function countShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift'))
      throw new Error('This browser does not report layout shifts');
    let sum = 0;
    const add = (entries: readonly PerformanceEntry[]) => {
      for (const entry of entries) {
        if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput)
          sum += Number(entry.value);
      }
    };
    const observer = new PerformanceObserver((list) => {
      add(list.getEntries());
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    const shifted = () => {
      add(observer.takeRecords());
      return sum;
    };
    Object.assign(window, { shifted });
  });
  return async () => {
    await expectText(page);
    return page.evaluate(() => (window as unknown as { shifted: () => number }).shifted());
  };
}

/** How many pixels the page is wider than the screen. Throws when the page shows no text. */
export async function overflowOf(page: Page): Promise<number> {
  await expectText(page);
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

/** Scrolls through the page by half screens and back to its top, as previews and archives do before they capture it. */
export async function scrollThrough(page: Page): Promise<void> {
  const { height, screen } = await page.evaluate(() => ({
    height: document.documentElement.scrollHeight,
    screen: innerHeight,
  }));
  for (let top = screen / 2; top < height; top += screen / 2) {
    await page.evaluate((y) => {
      scrollTo({ top: y, behavior: 'instant' });
    }, top);
    await twoFrames(page);
  }
  await page.evaluate(() => {
    scrollTo({ top: 0, behavior: 'instant' });
  });
}
