import { addFromShop } from './checkout-steps.ts';
import { cartLine } from '#tests/browser/catalogue/product-rows.ts';
import { totalText } from '#tests/browser/support/amounts.ts';
import { chooseInListing } from '#tests/browser/support/listing-fields.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { startWith } from '#tests/browser/account/customers.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';

test('a product added in the shop is in the cart, which survives a reload and broken text in storage', async ({
  page,
}) => {
  await addFromShop(page, 'Nakshatra Solitaire Ring');
  await page.goto('/cart');
  await expect(page.getByRole('region', { name: 'Order Summary' })).toContainText(
    totalText(349_900),
  );
  await page.reload();
  await expect(page.getByText('Nakshatra Solitaire Ring').first()).toBeVisible();
  // This page leaves the cart alone; the cart page may still write what it has just refreshed.
  await page.goto('/about');
  await page.evaluate(() => {
    localStorage.setItem('kasavu:cart', '{"not":[a cart');
  });
  await page.goto('/cart');
  await expect(page.getByText(/your cart is empty/iu)).toBeVisible();
});

test('a change in one tab is seen in another at once', async ({ page, context, newProduct }) => {
  const product = await newProduct({ name: 'Two-tab Ring' });
  await startWith(context, { cart: [cartLine(product)] });
  const other = await context.newPage();
  await other.goto('/cart');
  await expect(other.getByText('Two-tab Ring').first()).toBeVisible();
  await page.goto('/cart');
  // A tab behind another draws one frame a second.
  await page.bringToFront();
  await page
    .getByRole('button', { name: /remove/iu })
    .first()
    .click();
  await expect(other.getByText(/your cart is empty/iu)).toBeVisible();
});

test('the cart reports changed prices and deleted products when it opens', async ({
  page,
  context,
  newProduct,
}) => {
  const product = await newProduct({ name: 'Dearer Ring', price: 3499 });
  const line = cartLine(product);
  const gone = {
    ...line,
    id: '00000000-0000-4000-8000-000000000000',
    name: 'A product of the past',
  };
  await startWith(context, { cart: [{ ...line, price: 100 }, gone] });
  await page.goto('/cart');
  await expectToast(
    page,
    'Dearer Ring now costs ₹3,499.00 (was ₹1.00).',
    'A product of the past is no longer available and was removed.',
  );
  await expect(page.getByRole('region', { name: 'Order Summary' })).toContainText(
    totalText(349_900),
  );
});

test('checkout asks a visitor to sign in first', async ({ page, context, newProduct }) => {
  await startWith(context, { cart: [cartLine(await newProduct())] });
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  await page.waitForURL(/\/auth/u);
  await expectToast(page, 'Please sign in to continue to payment.');
});

test('a product whose button is pressed before the script has come is in the cart when it has', async ({
  page,
}) => {
  const script = Promise.withResolvers<undefined>();
  await page.goto('/shop');
  const address = await page
    .getByRole('link', { name: 'Nakshatra Solitaire Ring' })
    .first()
    .getAttribute('href');
  await page.route(/\/_astro\/.*\.js/u, async (route) => {
    await script.promise;
    await route.continue();
  });
  await page.goto(address ?? '', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  expect(await page.evaluate(() => customElements.get('add-to-cart') === undefined)).toBe(true);
  script.resolve(undefined);
  await expectToast(page, 'Added to cart!');
});

test('a press on a card adds one unit, also after the cards were sorted again and again', async ({
  page,
}) => {
  await page.goto('/shop');
  for (const order of ['Price Low to High', 'Price High to Low', 'Name A-Z'])
    await chooseInListing(page, 'Sort by', order);
  const card = page.getByRole('article').filter({ hasText: 'Nakshatra Solitaire Ring' });
  await card.getByRole('button', { name: /add to cart/iu }).click();
  await expectToast(page, 'Added to cart!');
  await expect(page.locator('[data-cart-count]').first()).toHaveText('1');
});
