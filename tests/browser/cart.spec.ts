import { addFromShop, expect, test } from './shop.ts';

test('the cart survives a reload and broken text in storage', async ({ page }) => {
  await addFromShop(page, 'Nakshatra Solitaire Ring');
  await page.goto('/cart');
  await expect(page.getByText('₹3,581.58')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Nakshatra Solitaire Ring').first()).toBeVisible();
  await page.evaluate(() => {
    localStorage.setItem('kasavu:cart', '{"not":[a cart');
  });
  await page.reload();
  await expect(page.getByText(/your cart is empty/iu)).toBeVisible();
});

test('a change in one tab is seen in another at once', async ({ page, context }) => {
  await addFromShop(page, 'Nakshatra Solitaire Ring');
  const other = await context.newPage();
  await other.goto('/cart');
  await expect(other.getByText('Nakshatra Solitaire Ring').first()).toBeVisible();
  await page.goto('/cart');
  await page.getByRole('button', { name: /remove/iu }).first().click();
  await expect(other.getByText(/your cart is empty/iu)).toBeVisible();
});

test('a price that changed and a piece that is gone are told when the cart opens', async ({ page }) => {
  await addFromShop(page, 'Nakshatra Solitaire Ring');
  await page.evaluate(() => {
    const items = JSON.parse(localStorage.getItem('kasavu:cart') ?? '[]') as Record<string, unknown>[];
    const first = { ...items[0], price: 100 };
    const gone = { ...items[0], id: '00000000-0000-4000-8000-000000000000', name: 'A piece of the past' };
    localStorage.setItem('kasavu:cart', JSON.stringify([first, gone]));
  });
  await page.goto('/cart');
  await expect(page.getByText('Nakshatra Solitaire Ring now costs ₹3,499.00 (was ₹1.00).')).toBeVisible();
  await expect(page.getByText('A piece of the past is no longer available and was removed.')).toBeVisible();
  await expect(page.getByText('₹3,581.58')).toBeVisible();
});

test('checkout asks a visitor to sign in first', async ({ page }) => {
  await addFromShop(page, 'Nakshatra Solitaire Ring');
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  await page.waitForURL(/\/auth/u);
  await expect(page.getByText('Please sign in to continue to payment.')).toBeVisible();
});

test('a piece whose button is pressed before the script has come is in the cart when it has', async ({ page }) => {
  const script = Promise.withResolvers<undefined>();
  await page.goto('/shop');
  const address = await page.getByRole('link', { name: 'Nakshatra Solitaire Ring' }).first().getAttribute('href');
  await page.route(/\/_astro\/.*\.js/u, async (route) => {
    await script.promise;
    await route.continue();
  });
  await page.goto(address ?? '', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  expect(await page.evaluate(() => customElements.get('add-to-cart') === undefined)).toBe(true);
  script.resolve(undefined);
  await expect(page.getByText('Added to cart!')).toBeVisible();
});
