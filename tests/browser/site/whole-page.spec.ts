import type { Page } from '@playwright/test';
import { addressOf } from '#tests/browser/catalogue/product-rows.ts';
import { countShifts, scrollThrough, untilDrawn } from '#tests/browser/support/page-state.ts';
import { expect, test } from '#tests/browser/support/shop.ts';

/** What a capture of the whole page shows of its images, and the addresses of those that it misses. */
async function capturedImages(page: Page): Promise<{ shown: number; missing: string[] }> {
  return page.evaluate(() => {
    const isDrawn = (image: HTMLImageElement): boolean =>
      image.complete &&
      image.naturalWidth > 0 &&
      image.checkVisibility({
        contentVisibilityAuto: true,
        opacityProperty: true,
        visibilityProperty: true,
      });
    // A phone has dots in place of a card's thumbnails, and the parts that nothing opened have no place on the page.
    const isLeftOut = (image: HTMLImageElement): boolean =>
      image.closest('[hidden], :is(dialog, details):not([open])') !== null ||
      (innerWidth < 768 && image.closest('.card-thumbs') !== null);
    const images = [...document.images].filter((image) => !isLeftOut(image));
    const missing = images.filter((image) => !isDrawn(image)).map(({ src }) => src);
    return { shown: images.length - missing.length, missing };
  });
}

for (const [name, atLeast] of [
  ['/', 17],
  ['/shop', 24],
  ['/product', 8],
] as const)
  test(
    `after scrolling through ${name}, a capture of the whole page shows every image`,
    { tag: '@every-width' },
    async ({ page }) => {
      const shifted = await countShifts(page);
      await page.goto(name === '/product' ? await addressOf('Palakka Mala') : name);
      await untilDrawn(page);
      await scrollThrough(page);
      await expect.poll(async () => (await capturedImages(page)).missing).toEqual([]);
      expect((await capturedImages(page)).shown).toBeGreaterThanOrEqual(atLeast);
      expect(await shifted(), 'cumulative layout shift').toBeLessThan(0.01);
      await page
        .locator('main picture img')
        .last()
        .evaluate((image: HTMLElement) => {
          image.style.opacity = '0';
        });
      expect((await capturedImages(page)).missing, 'a hidden image is noticed').toHaveLength(1);
    },
  );

test.describe('on a tablet', () => {
  // A tablet has no mouse: nothing has been hovered, touched or scrolled.
  test.use({ viewport: { width: 1180, height: 820 }, isMobile: true, hasTouch: true });
  test('the small images under a card are there without a scroll', async ({ page }) => {
    await page.goto('/shop');
    await untilDrawn(page);
    const strips = page.locator('.card-thumbs');
    await expect(strips.first()).toBeInViewport();
    const firstRow = await strips.evaluateAll((all) =>
      all
        .filter((strip) => strip.getBoundingClientRect().bottom < innerHeight)
        .map((strip) => strip.childElementCount),
    );
    expect(firstRow.length).toBeGreaterThan(1);
    for (const [index, count] of firstRow.entries()) {
      const images = strips.nth(index).locator('img');
      await expect(images).toHaveCount(count);
      await expect
        .poll(async () =>
          images.evaluateAll((all) =>
            all.every(
              (image) =>
                image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0,
            ),
          ),
        )
        .toBe(true);
    }
  });
});

test('on paper a page has its text alone, without the frame on every sheet', async ({ page }) => {
  await page.goto('/returns');
  await expect(page.locator('.header')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.header')).toBeHidden();
  await expect(page.locator('.skip-link')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
