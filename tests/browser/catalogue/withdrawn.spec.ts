import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { chooseInListing } from '#tests/browser/support/listing-fields.ts';
import { countShifts, scrollThrough, untilDrawn } from '#tests/browser/support/page-state.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { addressOf } from './product-rows.ts';

/** Answers as if some products had been hidden or deleted since the build: those at these places of the page. */
async function withdraw(page: Page, places: readonly number[]): Promise<void> {
  await page.route('**/rest/v1/products?*', async (route) => {
    const response = await route.fetch();
    const ids = await page
      .locator('main [data-product-view]')
      .evaluateAll((all) => all.map((card) => (card as HTMLElement).dataset['id']));
    const gone = new Set(places.map((place) => ids[place]));
    const rows = (await response.json()) as { id: string }[];
    await route.fulfill({ response, json: rows.filter(({ id }) => !gone.has(id)) });
  });
}

for (const path of ['/', '/shop', '/product'] as const)
  test(
    `a product that was withdrawn since the build leaves its place in ${path} without moving another`,
    { tag: '@every-width' },
    async ({ page }) => {
      const shifted = await countShifts(page);
      const address = path === '/product' ? await addressOf('Palakka Mala') : path;
      // The first of a product's page is the product itself.
      await withdraw(page, path === '/product' ? [1, 2] : [0, 1, 3]);
      await page.goto(address);
      const gone = page.locator('.card[data-gone]');
      await expect(gone).toHaveCount(path === '/product' ? 2 : 3);
      const note = await gone.first().evaluate((card) => getComputedStyle(card, '::after').content);
      expect(note).toContain('This product is no longer here');
      await expect(gone.getByRole('link')).toHaveCount(0);
      await expect(gone.getByRole('button')).toHaveCount(0);
      await untilDrawn(page);
      await scrollThrough(page);
      expect(await shifted(), 'cumulative layout shift').toBeLessThan(0.01);
      await expectAccessible(page, `${path} with withdrawn products`);
    },
  );

// A page that asks once more as its test ends would leave its answer behind.
test.afterEach(async ({ page }) => page.unrouteAll({ behavior: 'wait' }));

test('a product that was withdrawn since the build is not counted, and is left out once other cards are chosen', async ({
  page,
}) => {
  await withdraw(page, [0]);
  const listing = Promise.withResolvers<undefined>();
  await page.route('**/_astro/ShopListing*', async (route) => {
    await listing.promise;
    await route.continue();
  });
  await page.goto('/shop', { waitUntil: 'commit' });
  const gone = page.locator('[data-cards] [data-gone]');
  await expect(gone).toHaveCount(1);
  const count = page.getByText(/^Showing \d+ of \d+ products$/u);
  const [, all = ''] = /of (\d+)/u.exec(await count.innerText()) ?? [];
  listing.resolve(undefined);
  await expect(count).toHaveText(new RegExp(`of ${String(Number(all) - 1)} products$`, 'u'));
  await expect(gone).toHaveCount(1);
  await chooseInListing(page, 'Sort by', 'price-low');
  await expect(page).toHaveURL('/shop?sort=price-low');
  await expect(gone).toHaveCount(0);
  await expect(count).toHaveText(new RegExp(`of ${String(Number(all) - 1)} products$`, 'u'));
});
