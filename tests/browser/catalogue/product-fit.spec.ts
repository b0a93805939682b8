import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { overflowOf, untilDrawn } from '#tests/browser/support/page-state.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { addressOf } from './product-rows.ts';

async function openMala(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.goto(await addressOf('Palakka Mala'));
  await untilDrawn(page);
}

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`Nothing is shown of ${selector}`);
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
};

for (const [width, height] of [
  [320, 640],
  [360, 740],
  [740, 360],
  [820, 1180],
  [1440, 900],
] as const)
  test(`at ${String(width)} × ${String(height)} px the small images cover nothing of the large one, which is shown whole`, async ({
    page,
  }) => {
    await openMala(page, width, height);
    const slides = await boxOf(page, '.gallery-slides');
    const thumbs = page.locator('.gallery-thumbs button');
    await expect(thumbs).toHaveCount(3);
    for (const thumb of await thumbs.all()) {
      const box = await thumb.boundingBox();
      if (!box) throw new Error('A small image is not shown');
      const isBeside =
        box.x >= slides.right ||
        box.x + box.width <= slides.x ||
        box.y >= slides.bottom ||
        box.y + box.height <= slides.y;
      expect(isBeside, JSON.stringify({ box, slides })).toBe(true);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
    }
    const fit = await page
      .locator('.gallery-slides picture img')
      .first()
      .evaluate((image) => {
        const { width: shown, height: high } = image.getBoundingClientRect();
        const isSquare = Math.abs(shown - high) < 2;
        return isSquare || getComputedStyle(image).objectFit === 'contain';
      });
    expect(fit, 'nothing of the image is cut').toBe(true);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  });

test('on a phone that lies on its side the image leaves room for name and price', async ({
  page,
}) => {
  await openMala(page, 740, 360);
  const image = await boxOf(page, '.gallery-slides');
  expect(image.height).toBeLessThanOrEqual(360 * 0.6 + 1);
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
  await expect(page.locator('.detail [data-price-now]').first()).toBeInViewport({ ratio: 1 });
});

test('on a tablet the images reach as far down as the words up to the button', async ({ page }) => {
  await openMala(page, 820, 1180);
  const gallery = await boxOf(page, '.gallery');
  const add = await boxOf(page, '.buy-bar');
  expect(gallery.bottom).toBeGreaterThanOrEqual(add.bottom);
});

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });
    test('a long story fades on a phone, and a press or a key opens it', async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(await addressOf('Palakka Mala'));
      const story = page.locator('[data-description]').first();
      const lines = async () => ((await story.boundingBox())?.height ?? 0) / 28;
      expect(await lines()).toBeLessThan(2.5);
      const more = page.getByText('Read on', { exact: true });
      const fade = await more.evaluate((element) => getComputedStyle(element).backgroundImage);
      expect(fade).toContain('linear-gradient');
      if (javaScriptEnabled) await expectAccessible(page, 'a product with a folded story');
      await more.focus();
      await page.keyboard.press('Enter');
      await expect(more).toBeHidden();
      expect(await lines()).toBeGreaterThan(2.5);
    });
  });

test('a product’s page on a phone has the search in its header', async ({ page }) => {
  await openMala(page, 360, 740);
  const header = page.getByRole('banner');
  await expect(header.getByRole('link', { name: 'Search' }).filter({ visible: true })).toHaveCount(
    1,
  );
  await expect(header.getByRole('link', { name: 'Cart', exact: true }).first()).toBeVisible();
});
