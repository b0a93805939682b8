import { fixedReviews as reviews } from '#settings/reviews.ts';
import { seller } from '#settings/seller.ts';
import { addressOf } from './product-rows.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';
import { lowStockNotes } from '#tests/browser/support/amounts.ts';
import { chooseInListing } from '#tests/browser/support/listing-fields.ts';
import { changeProduct } from './product-rows.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { line, touch } from '#tests/browser/support/touch.ts';

test('the shop filters, searches and sorts, and says how many products it shows', async ({
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

  await chooseInListing(page, 'Category', shopCategory(0).slug);
  await expect(count).not.toHaveText(`Showing ${String(all)} of ${String(all)} products`);
  // The first rows come with the count, the others a frame later.
  await expect
    .poll(async () => `Showing ${String(await cards.count())} of ${String(all)} products`)
    .toBe(await count.innerText());

  await page.getByLabel('Search products').fill('SOLITAIRE');
  await expect(cards).toHaveCount(1);
  await page.getByLabel('Search products').fill('no such piece');
  await expect(page.getByText('No products found')).toBeVisible();
  await page.getByRole('link', { name: 'Clear Filters' }).click();
  await expect(count).toHaveText(`Showing ${String(all)} of ${String(all)} products`);

  const firstNames = async (): Promise<string[]> =>
    (await cards.getByRole('heading').allTextContents()).slice(0, 8);
  await chooseInListing(page, 'Sort by', { label: 'Price Low to High' });
  await expect(page).toHaveURL(/sort=price-low/u);
  const names = await firstNames();
  await chooseInListing(page, 'Sort by', { label: 'Name A-Z' });
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
  await page.goto(`/shop?category=${shopCategory(0).slug}`);
  const cards = page.getByRole('article').filter({ visible: true });
  const count = await cards.count();
  expect(count).toBeGreaterThan(2);
  expect(count).toBeLessThan(20);
  await expect(page.getByLabel('Category', { exact: true })).toHaveValue(shopCategory(0).slug);
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
  await expect(page.getByText('Only 3 left in stock')).toHaveCount(lowStockNotes(3));
  await expect(page.getByText(`(${String(reviews.count)} reviews)`)).toHaveCount(
    reviews.shown ? 1 : 0,
  );
  for (const badge of [`${seller.shipping.label} Shipping`, 'Secure Payments', 'No Returns']) {
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
  await page.getByRole('button', { name: 'Increase quantity of Muthu Embrace Ring' }).click();
  await expectToast(page, 'Cannot exceed available stock');
});

test('a built page has the price and the stock of now, in what search engines read too', async ({
  page,
}) => {
  const { id, restore } = await changeProduct('Chandrika Jimikki', {
    price: 2_499,
    offerPrice: 1_111,
    stock: 0,
  });
  await page.goto(`/product/${id}`);
  const offers = (text: string): { price: string; availability: string }[] =>
    [JSON.parse(text) as { offers?: { price: string; availability: string } }].flatMap(
      ({ offers: offer }) => offer ?? [],
    );
  const data = page.locator('script[type="application/ld+json"]');
  await expect
    .poll(async () => (await data.allTextContents()).flatMap(offers))
    .toEqual([
      expect.objectContaining({
        price: '1111.00',
        availability: 'https://schema.org/OutOfStock',
      }),
    ]);
  await expect(page.getByText('₹1,111.00').first()).toBeVisible();
  await restore();

  const bangles = await changeProduct('Moonu Vala Bangle Set', {
    sizes: [
      { size: '2.4', stock: 0 },
      { size: '2.6', stock: 4 },
    ],
  });
  await page.goto(`/product/${bangles.id}`);
  await expect
    .poll(async () =>
      Array.from(
        (await data.allTextContents())
          .join('')
          .matchAll(/_(2\.[46])".*?"availability":"([^"]+)"/gu),
        ([, size, availability]) => [size, availability],
      ),
    )
    .toEqual([
      ['2.4', 'https://schema.org/OutOfStock'],
      ['2.6', 'https://schema.org/InStock'],
    ]);
  await bangles.restore();
});

test('on a phone a card has dots and fetches no thumbnails; a finger brings its next image, and the one before', async ({
  page,
}) => {
  const thumbnails: string[] = [];
  page.on('request', (request) => {
    if (/\/\.netlify\/images\?.*w=120/u.test(request.url())) thumbnails.push(request.url());
  });
  await page.goto('/shop');
  const card = page
    .getByRole('article')
    .filter({ has: page.locator('[data-thumb]:nth-child(3)') })
    .first();
  const dots = card.getByRole('button', { name: /^Picture \d of / });
  await expect(dots).toHaveCount(3);
  const box = (await card.locator('card-images').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  const [left, right] = [0.2, 0.8].map((part) => ({
    x: box.x + box.width * part,
    y: box.y + box.height / 2,
  })) as [{ x: number; y: number }, { x: number; y: number }];
  const large = card.locator('picture img');
  const shown = (): Promise<string> =>
    large.evaluate((image: HTMLImageElement) => image.currentSrc);
  const first = await shown();
  await touch(page, line(right, left));
  await expect(dots.nth(1)).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(shown).not.toBe(first);
  await touch(page, line(left, right));
  await expect(dots.first()).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(shown).toBe(first);
  // A press on the bar of dots goes on to the next image, and from the last to the first.
  for (const next of [1, 2, 0]) {
    await card.locator('.card-thumbs').tap();
    await expect(dots.nth(next)).toHaveAttribute('aria-pressed', 'true');
  }
  await expect(page).toHaveURL('/shop');
  expect(thumbnails).toEqual([]);
});

test(
  'a card under the mouse shows the product worn, and its first image again when the mouse leaves',
  { tag: '@desktop' },
  async ({ page }) => {
    await page.goto(`/shop?category=${shopCategory(1).slug}`);
    const card = page
      .getByRole('article')
      .filter({ has: page.locator('[data-thumb]:nth-child(3)') })
      .first();
    const images = card.getByRole('button', { name: /^Picture \d of / });
    await page.mouse.move(2, 2);
    await page.mouse.move(4, 4);
    await expect(async () => {
      await page.mouse.move(6, 6);
      await card.locator('.card-image').hover();
      await expect(images.nth(2)).toHaveAttribute('aria-pressed', 'true', { timeout: 500 });
    }).toPass();
    await page.mouse.move(6, 6);
    await expect(images.first()).toHaveAttribute('aria-pressed', 'true');
  },
);

test('a product sells from the first screen of a phone: name, price, material, sizes and button', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(await addressOf('Palakka Mothiram'));
  const view = page.locator('.detail');
  const add = page.getByRole('button', { name: 'Add to Cart', exact: true }).first();
  const bar = await page.locator('.buy-bar').boundingBox();
  if (!bar) throw new Error('The page has no bar');
  for (const part of [
    page.getByRole('heading', { level: 1 }),
    view.locator('[data-price-now]').first(),
    view.getByText('Antique gold-plated brass · Green palakka and red kemp glass · 8.6 g'),
    view.locator('.size').last(),
    page.getByRole('button', { name: 'Show picture 3' }),
  ]) {
    const box = await part.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(bar.y);
  }
  await page.getByRole('heading', { level: 1 }).evaluate((name) => {
    name.textContent = 'Nakshatra Solitaire Ring of Thrissur';
  });
  const lowest = await view.locator('.size').last().boundingBox();
  expect(
    (lowest?.y ?? Infinity) + (lowest?.height ?? 0),
    'the sizes below a name of two lines',
  ).toBeLessThanOrEqual(bar.y);
  await expect(add).toBeInViewport({ ratio: 1 });
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await expect(add).toBeInViewport({ ratio: 1 });
  await page.evaluate(() => {
    window.scrollTo(0, document.documentElement.scrollHeight);
  });
  const [end, button] = await Promise.all([
    page.getByRole('contentinfo').boundingBox(),
    page.locator('.buy-bar').boundingBox(),
  ]);
  expect((end?.y ?? Infinity) + (end?.height ?? 0)).toBeLessThanOrEqual((button?.y ?? 0) + 1);
  await page.getByRole('link', { name: `Back to ${shopCategory(0).label}` }).tap();
  await expect(page).toHaveURL(`/shop?category=${shopCategory(0).slug}`);
});

test('a ring laid on the screen finds its size once a bank card has set the screen', async ({
  page,
}) => {
  await page.goto('/size-guide#rings');
  await page.getByLabel('Width of the card').fill('270');
  await page.getByLabel('Size of the ring').press('ArrowRight');
  await expect(page.getByRole('status').filter({ hasText: 'mm across' })).toHaveText(
    'Size 15: 17.5 mm across, US 7½',
  );
  // A card is 53.98 mm wide.
  const hole = await page.locator('.ring-hole').boundingBox();
  expect(hole?.width).toBeCloseTo((17.5 * 270) / 53.98, 0);
});

test('with letters of twice the size nothing is wider than a phone', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/404/u);
  for (const path of [
    '/',
    '/shop',
    '/cart',
    '/wishlist',
    '/size-guide',
    '/contact',
    '/no/such/page',
  ]) {
    await page.goto(path);
    const width = await page.evaluate(async () => {
      document.documentElement.style.fontSize = '200%';
      await new Promise(requestAnimationFrame);
      return document.documentElement.scrollWidth;
    });
    expect(width, path).toBe(360);
  }
});
