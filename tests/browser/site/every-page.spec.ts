import type { Page, Response } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { footerTexts, pages } from './page-list.ts';
import { countShifts, overflowOf, untilDrawn } from '../support/page-state.ts';
import { runningShop } from '../support/running-shop.ts';
import { expect, test } from '../support/shop.ts';
import { openSession, startWith } from '../account/shoppers.ts';

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
    return texts.filter((text) =>
      ['true', 'false', 'null', 'undefined', 'NaN', '[object Object]'].includes(text),
    );
  });

for (const listed of pages) {
  const { path, status = 200, footer = true, texts } = listed;
  test(`${path} has its texts, is accessible, fits the screen, and does not move while it loads`, async ({
    page,
    expectProblem,
  }) => {
    if (status !== 200) expectProblem(new RegExp(String(status), 'u'));
    const shifted = await countShifts(page);
    const answer = await openPage(page, listed);
    expect(answer?.status()).toBe(status);
    for (const word of [...texts, ...(footer ? footerTexts : [])])
      await expect(page.getByText(word).first(), word).toBeAttached();
    expect(await strayValues(page), 'values that a template wrote as text').toEqual([]);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    expect(await shifted(), 'cumulative layout shift').toBeLessThan(0.01);
    expect(await overflowOf(page), 'nothing wider than the screen').toBeLessThanOrEqual(0);
    await expectAccessible(page, path);
  });
}

for (const [part, first] of [0, 6, 12].entries()) {
  test(
    `no page is wider than a desktop or moves while it loads, part ${String(part + 1)}`,
    { tag: '@desktop' },
    async ({ page, expectProblem }) => {
      expectProblem(/404/u);
      const shifted = await countShifts(page);
      for (const listed of pages.slice(first, first + 6)) {
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
    await startWith(context, { shopper: await openSession(runningShop().shopper) });
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
