import type { Locator, Page } from '@playwright/test';
import { addFromShop } from '#tests/browser/checkout/checkout-steps.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { countShifts, scrollThrough, untilDrawn } from '#tests/browser/support/page-state.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { twoFrames } from '#tests/browser/support/traffic.ts';

/** Presses buttons of cards at several places of the listing. Throws where the page has too few of them in view. */
async function pressCards(
  page: Page,
  { name, message, count }: { name: RegExp; message: RegExp; count: number },
): Promise<void> {
  const top = (button: Locator) =>
    button.evaluate((element) => element.getBoundingClientRect().top + scrollY);
  for (let index = 0; index < count; index += 1) {
    const button = page.getByRole('main').getByRole('button', { name }).nth(index);
    await button.evaluate((element) => {
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
    });
    await expect(button).toBeInViewport();
    const scrolled = await page.evaluate(() => scrollY);
    const before = await top(button);
    await button.click();
    const toast = page.locator('.toast').last();
    await expect(toast).toContainText(message);
    expect(await pressableUnder(page), 'parts of the page under the message').toEqual([]);
    expect(await top(button), 'while the message is shown').toBe(before);
    await expect(page.locator('.toast')).toHaveCount(0);
    await twoFrames(page);
    expect(await top(button), 'after the message').toBe(before);
    expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  }
}

/** Names of what could be pressed in the page, seen in full, if no message lay over it. */
const pressableUnder = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const toast = document.querySelector('.toast')?.getBoundingClientRect();
    const header = document.querySelector('header')?.getBoundingClientRect();
    if (!toast || !header) throw new Error('There is no message, or no header');
    return [...document.querySelectorAll('main :is(a[href], button, input, select, summary)')]
      .filter((part) => {
        const { top, bottom, left, right } = part.getBoundingClientRect();
        const isSeen = top >= header.bottom && bottom > top && part.checkVisibility();
        return isSeen && top < toast.bottom && left < toast.right && right > toast.left;
      })
      .map((part) => part.outerHTML.slice(0, 80));
  });

for (const [width, height] of [
  [360, 740],
  [820, 1180],
  [1440, 900],
] as const)
  test.describe(`at ${String(width)} px`, () => {
    test.use({ viewport: { width, height }, isMobile: width < 1024, hasTouch: width < 1024 });

    test('the message of a press moves nothing, neither as it comes nor as it goes, and covers nothing that can be pressed', async ({
      page,
    }) => {
      const shifted = await countShifts(page);
      await page.goto('/shop');
      await untilDrawn(page);
      // Scrolled through once, so that every card has its height.
      await scrollThrough(page);
      // The fonts' own shift is over: tests of loading count it.
      await page.evaluate(async () => document.fonts.ready);
      const loading = await shifted();
      await pressCards(page, { name: /^Add to Cart/u, message: /^Added to cart!/u, count: 2 });
      await pressCards(page, { name: /wishlist/iu, message: /^Added to wishlist/u, count: 2 });
      expect(await shifted(), 'layout shift without a press').toBe(loading);
    });
  });

test('a message comes during a press without taking the button away from the finger', async ({
  page,
}) => {
  await page.goto('/shop');
  const heading = page.getByRole('heading', { level: 1 });
  const before = await heading.boundingBox();
  await heading.hover();
  await page.mouse.down();
  await page
    .getByRole('button', { name: /^Add to Cart/u })
    .first()
    .press('Enter');
  await expect(page.locator('.toast')).toContainText('Added to cart!');
  await twoFrames(page);
  expect(await heading.boundingBox()).toEqual(before);
  await page.mouse.up();
  await twoFrames(page);
  expect(await heading.boundingBox()).toEqual(before);
});

test('what the page before had to say stands in the page, above its heading, until it is dismissed', async ({
  page,
}) => {
  await addFromShop(page, 'Chandrika Jimikki');
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  await expect(page).toHaveURL(/\/auth/u);
  const message = page.getByRole('main').getByRole('status').filter({ hasText: 'Login required' });
  await expect(message).toContainText('Please sign in to continue to payment.');
  const [above, heading] = [
    await message.boundingBox(),
    await page.getByRole('heading', { level: 1 }).boundingBox(),
  ];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(heading?.y ?? 0);
  await expectAccessible(page, 'a message of the page before');
  await message.getByRole('button', { name: 'Dismiss' }).click();
  await expect(message.getByText('Login required')).toHaveCount(0);
});
