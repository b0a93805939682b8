import type { Page } from '@playwright/test';
import { addressOf, deleteProduct, insertProduct } from '#tests/browser/catalogue/product-rows.ts';
import { untilScripted } from '#tests/browser/support/page-state.ts';
import { expect, test } from '#tests/browser/support/shop.ts';

async function openProduct(page: Page, name: string): Promise<void> {
  await page.goto(await addressOf(name));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await untilScripted(page);
}

test('four other products are below a product', async ({ page }) => {
  await openProduct(page, 'Muthu Embrace Ring');
  const related = page.getByRole('region', { name: 'You may also like' });
  await expect(related.getByRole('article')).toHaveCount(4);
  await expect(related.getByRole('link', { name: 'Muthu Embrace Ring' })).toHaveCount(0);
});

test('products seen before are shown on the next ones, without those that have left the shop', async ({
  page,
}) => {
  const gone = await insertProduct({ name: 'A Bangle That Leaves' });
  try {
    await openProduct(page, 'Muthu Embrace Ring');
    await page.mouse.wheel(0, 5_000);
    await expect(page.getByRole('region', { name: 'Recently seen' })).toHaveCount(0);
    await page.waitForFunction(() =>
      localStorage.getItem('kasavu:seen')?.includes('Muthu Embrace Ring'),
    );
    await openProduct(page, 'Palakka Mothiram');
    await page.mouse.wheel(0, 5_000);
    await page.waitForFunction(() =>
      localStorage.getItem('kasavu:seen')?.includes('Palakka Mothiram'),
    );
    await expect(page.getByRole('region', { name: 'Recently seen' }), 'one alone').toHaveCount(0);
    await page.goto(`/product/${gone.id}`);
    await page.mouse.move(50, 50, { steps: 2 });
    await page.waitForFunction((id) => localStorage.getItem('kasavu:seen')?.includes(id), gone.id);
  } finally {
    await deleteProduct(gone.id);
  }
  await page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem('kasavu:seen') ?? '[]') as { price: number }[];
    // An old price, and an entry that somebody else wrote.
    localStorage.setItem(
      'kasavu:seen',
      JSON.stringify([...stored.map((product) => ({ ...product, price: 100 })), { id: 7 }]),
    );
  });
  await openProduct(page, 'Thamara Lotus Ring');
  const recentlyViewed = page.getByRole('region', { name: 'Recently seen' });
  await expect(async () => {
    await page.mouse.wheel(0, 600);
    await expect(recentlyViewed).toBeVisible({ timeout: 500 });
  }).toPass();
  await recentlyViewed.scrollIntoViewIfNeeded();
  // Its place stays, so that no neighbour moves.
  await expect(recentlyViewed.locator('[data-gone]')).toHaveCount(1);
  await expect(recentlyViewed.getByRole('link', { name: 'A Bangle That Leaves' })).toHaveCount(0);
  await expect(recentlyViewed.getByRole('link', { name: 'Palakka Mothiram' })).toHaveCount(1);
  const embrace = recentlyViewed.getByRole('article').filter({ hasText: 'Muthu Embrace Ring' });
  await expect(embrace).toContainText('₹2,199.00');
  await recentlyViewed.getByRole('link', { name: 'Muthu Embrace Ring' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Muthu Embrace Ring');
});
