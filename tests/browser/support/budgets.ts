import { statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { shop } from '#shop/shop.ts';
import { theme } from '#settings/theme.ts';
import { expect } from './shop.ts';
import { countTraffic } from './traffic.ts';

/*
 * Bytes and requests of a first visit on a phone (412 px at 1.75, as peers were measured), as transferred (brotli). Bodies
 * are counted: the embedded stack speaks HTTP/1.1, whose repeated headers a CDN's HTTP/2 sends once. Images are
 * those that load without scrolling. Style sheets stand in the document, so `style` is a part of it.
 */
const kib = 1024;
/** What the fonts of the shop under test weigh more than those that the budgets below were made with, in KiB. */
const moreForFonts = Math.max(
  0,
  Object.values(theme.fonts).reduce(
    (sum, { file }) => sum + statSync(join('src/shop/public', file)).size / kib,
    0,
  ) - 19,
);
/** What the settings of the shop under test, which are in every page's scripts, weigh more than those that the budgets were made with, in KiB. */
const moreForSettings = Math.max(0, (brotliCompressSync(JSON.stringify(shop)).length - 141) / kib);
/** Home, the listing and a product. Their Core Web Vitals are in docs/measured.md. */
const browse = {
  script: 9,
  style: 7.5,
  document: 20,
  font: 20,
  image: 150,
  total: 200,
  requests: 28,
};
export const budgets = {
  '/': browse,
  '/ with an occasion': browse,
  '/shop': { ...browse, script: 10 },
  '/product': { ...browse, script: 11 },
  // Pages of text need no more script than the header and the footer do.
  '/about': { script: 7, style: 7, document: 14, font: 20, image: 40, total: 90, requests: 8 },
  '/returns': { script: 7, style: 7, document: 14, font: 20, image: 0, total: 50, requests: 6 },
  '/contact': { script: 8, style: 7, document: 14, font: 20, image: 0, total: 50, requests: 8 },
} as const;

/** Opens the page and expects its first visit to stay within the budget (KiB, and requests). */
export async function expectWithinBudget(
  page: Page,
  address: string,
  budget: Readonly<typeof browse>,
): Promise<void> {
  const traffic = await countTraffic(page, { onFast4g: true });
  // Price and stock of this moment are the last that a page with products fetches by itself.
  const lastAnswer = /^\/(?:$|shop|product)/u.test(address)
    ? page.waitForResponse(/\/rest\/v1\/products\?/u)
    : undefined;
  await page.goto(address);
  await lastAnswer;
  await traffic.quiet();
  const styles = await page.locator('style').allTextContents();
  const style = brotliCompressSync(styles.join('')).length;
  const total = [...traffic.bytes.values()].reduce((sum, size) => sum + size, 0);
  console.log(
    address,
    `style ${(style / kib).toFixed(1)},`,
    [...traffic.bytes].map(([kind, size]) => `${kind} ${(size / kib).toFixed(1)}`).join(', '),
    `total ${(total / kib).toFixed(1)} KiB, ${String(traffic.requests())} requests`,
  );
  expect(traffic.bytes.get('document'), 'the document was counted').toBeGreaterThan(kib);
  const more = { script: moreForSettings, document: 0, font: moreForFonts, image: 0 };
  for (const kind of ['script', 'document', 'font', 'image'] as const) {
    expect
      .soft((traffic.bytes.get(kind) ?? 0) / kib, `${kind} KiB`)
      .toBeLessThanOrEqual(budget[kind] + more[kind]);
  }
  expect.soft(style / kib, 'style KiB').toBeLessThanOrEqual(budget.style);
  expect.soft(total / kib, 'total KiB').toBeLessThanOrEqual(budget.total + moreForFonts);
  expect.soft(traffic.requests(), 'requests').toBeLessThanOrEqual(budget.requests);
}
