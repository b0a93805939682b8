import type { Page } from '@playwright/test';
import { openAdmin, test as adminTest } from '../admin/admin-page.ts';
import { openSession, startWith } from '../account/shoppers.ts';
import { untilDrawn } from '../support/page-state.ts';
import { runningShop } from '../support/running-shop.ts';
import { expect, test } from '../support/shop.ts';

/**
 * The controls of the page that a finger has less than 44 px for, in either direction (WCAG 2.5.5). A field has its label's
 * target, too. Links within a sentence are excepted.
 */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, summary, input:not([type="hidden"]), select, textarea, [role="button"], [tabindex="0"]',
    );
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false }) &&
      element.closest('[inert], .visually-hidden, .skip-link') === null;
    const inSentence = (link: HTMLElement) => {
      let around: HTMLElement | null = link;
      while (around && getComputedStyle(around).display === 'inline') around = around.parentElement;
      return (
        around !== link && (around?.innerText.trim().length ?? 0) > link.innerText.trim().length
      );
    };
    // Dots of images answer keys and screen readers; a finger presses the bar that holds them.
    const pressed = (control: HTMLElement) =>
      getComputedStyle(control).pointerEvents === 'none'
        ? (control.parentElement ?? control)
        : control;
    const boxes = (control: HTMLElement) => {
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
      return [pressed(control), ...labels].map((element) => element.getBoundingClientRect());
    };
    return [...controls]
      .filter((control) => isSeen(control) && !inSentence(control))
      .flatMap((control) => {
        const all = boxes(control);
        // Half a pixel is lost to rounding.
        if (all.some(({ width, height }) => width === 0 || (width >= 43.5 && height >= 43.5)))
          return [];
        const sizes = all.map(({ width, height }) => `${width.toFixed(0)}×${height.toFixed(0)}`);
        const name = control.ariaLabel ?? control.innerText.trim().slice(0, 40);
        return [
          `${control.tagName.toLowerCase()} “${name}” .${control.className}: ${sizes.join(', ')}`,
        ];
      });
  });

async function expectLargeTargets(page: Page, state: string): Promise<void> {
  await untilDrawn(page);
  expect.soft([...new Set(await smallTargets(page))], state).toEqual([]);
}

test('a finger has 44 px for every control of the shop’s pages', async ({ page, context }) => {
  await page.goto('/shop');
  const product = await page.locator('.card-name a').first().getAttribute('href');
  for (const path of [
    '/',
    '/shop',
    product ?? '',
    '/cart',
    '/wishlist',
    '/auth',
    '/contact',
    '/about',
    '/shipping-policy',
    '/size-guide',
  ]) {
    await page.goto(path);
    await expectLargeTargets(page, path);
  }
  await page.goto('/shop');
  await page
    .getByRole('button', { name: /^Add to Cart: / })
    .first()
    .click();
  await page.goto('/cart');
  await expect(page.getByRole('button', { name: /^Increase quantity of/ })).toBeVisible();
  await expectLargeTargets(page, 'a cart with a product');
  await page.goto('/shop');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expectLargeTargets(page, 'the filter');
  await startWith(context, { shopper: await openSession(runningShop().shopper) });
  await page.goto('/profile');
  await expect(page.getByRole('tab').first()).toBeVisible();
  await expectLargeTargets(page, 'the account');
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await expectLargeTargets(page, `the account, ${await tab.innerText()}`);
  }
});

adminTest('a finger has 44 px for every control of the owner’s pages', async ({ page }) => {
  await openAdmin(page);
  for (const view of [
    '#today',
    '#',
    '#orders',
    '#more',
    '#customers',
    '#figures',
    '#inbox',
    '#discounts',
  ]) {
    await page.goto(`/admin${view}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectLargeTargets(page, view);
  }
});
