import { expect, test } from '../support/shop.ts';
import { expectToast } from '../support/toasts.ts';

test('the shop filters, searches and sorts, and says how many pieces it shows', async ({
  page,
  expectProblem,
}) => {
  // The built page as it is: products of other tests come and go meanwhile.
  expectProblem(/rest\/v1\/products/u);
  await page.route('**/rest/v1/products?*', (route) => route.abort());
  await page.goto('/shop');
  const cards = page.getByRole('article').filter({ visible: true });
  const count = page.locator('[data-count]');
  const [, all] = /^Showing (\d+) of \1 products$/u.exec(await count.innerText()) ?? [];
  expect(Number(all)).toBeGreaterThan(24);

  await page.getByLabel('Category', { exact: true }).selectOption('rings');
  await expect(count).not.toHaveText(`Showing ${String(all)} of ${String(all)} products`);
  // The first rows come with the count, the others a frame later.
  await expect
    .poll(async () => `Showing ${String(await cards.count())} of ${String(all)} products`)
    .toBe(await count.innerText());

  await page.getByLabel('Search').fill('SOLITAIRE');
  await expect(cards).toHaveCount(1);
  await page.getByLabel('Search').fill('no such piece');
  await expect(page.getByText('No products found')).toBeVisible();
  await page.getByRole('link', { name: 'Clear Filters' }).click();
  await expect(count).toHaveText(`Showing ${String(all)} of ${String(all)} products`);

  const firstNames = async (): Promise<string[]> =>
    (await cards.getByRole('heading').allTextContents()).slice(0, 8);
  await page.getByLabel('Sort').selectOption({ label: 'Price Low to High' });
  await expect(page).toHaveURL(/sort=price-low/u);
  const names = await firstNames();
  await page.getByLabel('Sort').selectOption({ label: 'Name A-Z' });
  await expect.poll(firstNames).not.toEqual(names);
  // Sold-out products stay reachable and come last in every order.
  await page.getByRole('link', { name: 'Show more products' }).click();
  await expect(cards).toHaveCount(Number(all));
  await expect(cards.last()).toContainText('Out of Stock');
});

test('an address with a category arrives already filtered from the server', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  await page.goto('/shop?category=rings');
  const cards = page.getByRole('article').filter({ visible: true });
  const count = await cards.count();
  expect(count).toBeGreaterThan(2);
  expect(count).toBeLessThan(20);
  await expect(page.getByLabel('Category', { exact: true })).toHaveValue('rings');
  await page.goto('/shop?category=submarines');
  await expect(page.locator('[data-cards] > li')).toHaveCount(24);
  await context.close();
});

test('a product page shows gallery, price, stepper and badges, and cannot order above its stock', async ({
  page,
}) => {
  await page.goto('/shop');
  await page.getByRole('link', { name: 'Muthu Embrace Ring' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Muthu Embrace Ring');
  await expect(page.getByText('Only 3 left in stock')).toBeVisible();
  await expect(page.getByText('(42 reviews)')).toBeVisible();
  for (const badge of ['Free Shipping', 'Secure Payments', 'No Returns']) {
    await expect(page.getByText(badge, { exact: true }).first()).toBeVisible();
  }
  const quantity = page.getByRole('spinbutton', { name: 'Quantity' });
  await expect(quantity).toHaveValue('1');
  const more = page.getByRole('button', { name: 'Increase quantity' });
  for (const value of ['2', '3']) {
    await more.click();
    await expect(quantity).toHaveValue(value);
  }
  await more.dispatchEvent('click');
  await expect(quantity).toHaveValue('3');
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await expectToast(page, 'Added to cart!');
  await page.goto('/cart');
  await expect(page.getByText('₹6,597.00').first()).toBeVisible();
  await page.getByRole('button', { name: 'One more of Muthu Embrace Ring' }).click();
  await expectToast(page, 'Cannot exceed available stock');
});

test('an unknown product answers 404 with a way back to the shop', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/404/u);
  const answer = await page.goto('/product/00000000-0000-4000-8000-000000000000');
  expect(answer?.status()).toBe(404);
  await expect(page.getByText('Product not found')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Shop' })).toHaveAttribute('href', '/shop');
});

test('an unknown address answers 404 with a link home', async ({ page, expectProblem }) => {
  expectProblem(/404/u);
  const answer = await page.goto('/no/such/page');
  expect(answer?.status()).toBe(404);
  await expect(page.getByText('Oops! Page not found')).toBeVisible();
});

test('before a touch a card on the first screen shows two of its pictures and no empty place; then all, and the chosen one', async ({
  page,
}) => {
  await page.goto('/shop');
  const card = page
    .getByRole('article')
    .filter({ has: page.locator('[data-thumb]:nth-child(3)') })
    .first();
  const thumbs = card.getByRole('button', { name: /^Picture \d of / });
  await expect(thumbs).toHaveCount(2);
  // The browser's own, when the page below a resting pointer changes.
  await page.evaluate(() =>
    window.dispatchEvent(new PointerEvent('pointermove', { pointerType: 'mouse' })),
  );
  await expect(thumbs).toHaveCount(2);
  await expect(thumbs.locator('img')).toHaveCount(2);
  const large = card.locator('picture img');
  const first = await large.evaluate((image: HTMLImageElement) => image.currentSrc);
  await page.mouse.wheel(0, 40);
  await expect(thumbs.nth(2).locator('img')).toBeVisible();
  await thumbs.nth(1).tap();
  await expect(thumbs.nth(1)).toHaveAttribute('aria-pressed', 'true');
  await expect
    .poll(() => large.evaluate((image: HTMLImageElement) => image.currentSrc))
    .not.toBe(first);
});
