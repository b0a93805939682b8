import { expect, test } from '#tests/browser/support/shop.ts';

/* Storage that is full, and storage that site settings block, as the page's scripts meet them. */
const refusals = {
  full: () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
  },
  blocked: () => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
  },
};

for (const [state, refuse] of Object.entries(refusals)) {
  test(`with ${state} storage the shop says that it keeps no cart, wishlist or log-in, and takes the order by WhatsApp`, async ({
    page,
    newProduct,
  }) => {
    await page.addInitScript(refuse);
    const { id } = await newProduct({ name: 'Forgotten Ring' });
    await page.goto(`/product/${id}`);
    const view = page.locator('[data-product-view]').first();
    for (const [button, title] of [
      ['Add to Cart', 'Your cart cannot be kept'],
      [/wishlist/iu, 'Your wishlist cannot be kept'],
    ] as const) {
      await view.getByRole('button', { name: button }).first().click();
      const toast = page.locator('.toast', { hasText: title });
      await expect(toast).toContainText('Your browser keeps no data for this shop.');
      const chat = await toast
        .getByRole('link', { name: 'Order on WhatsApp' })
        .getAttribute('href');
      expect(new URL(chat ?? '').searchParams.get('text')).toContain(
        `Forgotten Ring: ${new URL(page.url()).origin}/product/${id}`,
      );
    }
    await expect(page.getByText('Added to')).toHaveCount(0);
    await expect(page.locator('[data-cart-count]').first()).toBeHidden();

    await page.goto('/auth');
    await expect(page.getByText('You cannot stay logged in here.')).toBeVisible();
    await expect(page.getByRole('link', { name: /Order on WhatsApp/u }).first()).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveCount(0);
  });
}

test('a press that finds no storage is answered even when its code cannot be fetched', async ({
  page,
  newProduct,
  expectProblem,
}) => {
  expectProblem(/explain-unkept/u);
  await page.addInitScript(refusals.full);
  let refused = 0;
  await page.route(/explain-unkept/u, async (route) => {
    refused += 1;
    await route.abort();
  });
  const { id } = await newProduct({ name: 'Forgotten Ring' });
  await page.goto(`/product/${id}`);
  const view = page.locator('[data-product-view]').first();
  await view.getByRole('button', { name: 'Add to Cart' }).first().click();
  await expect(page.locator('.toast', { hasText: 'Your cart cannot be kept' })).toBeVisible();
  expect(refused).toBeGreaterThan(0);
});
