import type { Page, Response } from '@playwright/test';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { footerTexts, pages } from './page-list.ts';
import { countShifts, overflowOf, untilDrawn } from '#tests/browser/support/page-state.ts';
import { twoFrames } from '#tests/browser/support/traffic.ts';
import { demoCustomer } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { openSession, startWith } from '#tests/browser/account/customers.ts';

/** Opens a page and waits until nothing more comes to it by itself. */
async function openPage(
  page: Page,
  { path, products }: (typeof pages)[number],
): Promise<Response | null> {
  const live = products ? page.waitForResponse(/\/rest\/v1\/products\?/u) : null;
  const answer = await page.goto(path);
  await (await live)?.finished();
  await untilDrawn(page);
  return answer;
}

/** Texts such as 'true', which a template writes by mistake. */
const strayValues = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode.nodeValue?.trim() ?? '');
    if (!texts.some((text) => text !== ''))
      throw new Error('Nothing was read: the page has no text');
    return texts.filter((text) =>
      ['true', 'false', 'null', 'undefined', 'NaN', '[object Object]'].includes(text),
    );
  });

/** The words that no text of the page has, in whatever case. */
const missingWords = (page: Page, words: readonly string[]): Promise<string[]> =>
  page.evaluate((wanted) => {
    const body = document.body.cloneNode(true) as HTMLElement;
    for (const script of body.querySelectorAll('script, style')) script.remove();
    const text = body.textContent.replaceAll(/\s+/gu, ' ').toLowerCase();
    return wanted.filter((word) => !text.includes(word.toLowerCase()));
  }, words);

/** A few pages for each test: one browser opens them one after the other. */
const parts = [0, 6, 12, 18].map((first) => pages.slice(first, first + 6));

for (const part of parts) {
  const paths = part.map(({ path }) => path).join(', ');
  test(`each page has its texts, is accessible, fits the screen, and does not move while it loads: ${paths}`, async ({
    page,
    expectProblem,
  }) => {
    if (part.some(({ status }) => status === 404)) expectProblem(/404/u);
    const shifted = await countShifts(page);
    for (const listed of part) {
      const { path, status = 200, footer = true, texts } = listed;
      await test.step(path, async () => {
        const answer = await openPage(page, listed);
        expect(answer?.status()).toBe(status);
        await expect
          .poll(() => missingWords(page, [...texts, ...(footer ? footerTexts : [])]))
          .toEqual([]);
        expect(await strayValues(page), 'values that a template wrote as text').toEqual([]);
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
        expect(await shifted(), 'cumulative layout shift').toBeLessThan(0.01);
        expect(await overflowOf(page), 'nothing wider than the screen').toBeLessThanOrEqual(0);
        await expectAccessible(page, path);
      });
    }
  });
}

test('a page whose script comes late has the place of what it may say', async ({ page }) => {
  const shifted = await countShifts(page);
  for (const path of ['/order', '/left-cart']) {
    const late = Promise.withResolvers<undefined>();
    await page.route(/\.js$/u, async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByText('One moment, please')).toBeVisible();
    await page.evaluate(async () => document.fonts.ready);
    await twoFrames(page);
    late.resolve(undefined);
    await expect(page.getByText('This link is incomplete.')).toBeVisible();
    await twoFrames(page);
    expect(await shifted(), path).toBeLessThan(0.01);
    await page.unrouteAll({ behavior: 'wait' });
  }
});

for (const part of [parts.slice(0, 2).flat(), parts.slice(2).flat()]) {
  const paths = part.map(({ path }) => path).join(', ');
  test(
    `no page is wider than a desktop or moves while it loads: ${paths}`,
    { tag: '@desktop' },
    async ({ page, expectProblem }) => {
      expectProblem(/404/u);
      const shifted = await countShifts(page);
      for (const listed of part) {
        await openPage(page, listed);
        expect(await shifted(), `cumulative layout shift of ${listed.path}`).toBeLessThan(0.01);
        expect(
          await overflowOf(page),
          `nothing in ${listed.path} wider than the screen`,
        ).toBeLessThanOrEqual(0);
      }
    },
  );
}

test(
  'the home page and the shop, with the menu of the account open, are accessible on a desktop',
  { tag: '@desktop' },
  async ({ page, context }) => {
    await startWith(context, { customer: await openSession(demoCustomer()) });
    await page.goto('/');
    await expectAccessible(page, 'the home page');
    await page.goto('/shop');
    await page.getByLabel('Account', { exact: true }).click();
    await expect(
      page.getByRole('button', { name: 'Logout' }).filter({ visible: true }),
    ).toBeVisible();
    await expectAccessible(page, 'the shop with the account’s menu');
  },
);
