import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { shop } from '#settings/shop.ts';
import { lowStockNotes } from '#tests/browser/support/amounts.ts';
import { countShifts } from '#tests/browser/support/page-state.ts';
import { changeProduct, deleteProduct, insertProduct, imageOf } from './product-rows.ts';
import { runningShop } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';

const isLoaded = async (image: Locator): Promise<boolean> =>
  image.evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth > 0);

/** The page as a messenger or a search engine reads it, from its HTML alone. */
async function readTags(page: Page, path: string): Promise<Record<string, string | undefined>> {
  const html = await (await page.request.get(path)).text();
  const tag = (pattern: RegExp) => pattern.exec(html)?.[1];
  return {
    title: tag(/<title>([^<]*)<\/title>/u),
    robots: tag(/<meta name="robots" content="([^"]*)"/u),
    ogTitle: tag(/<meta property="og:title" content="([^"]*)"/u),
    ogDescription: tag(/<meta property="og:description" content="([^"]*)"/u),
    ogImage: tag(/<meta property="og:image" content="([^"]*)"/u),
    ogUrl: tag(/<meta property="og:url" content="([^"]*)"/u),
  };
}

test('a product put in after the build has its page: title, images, price, details, preview, and a place in the cart', async ({
  page,
  newProduct,
}) => {
  const images = [await imageOf('Rekha Enamel Vala'), await imageOf('Chandrika Jimikki')];
  const words = {
    name: 'Thulasi & "Tulip" Bangle',
    description: 'Sixteen leaves of brass <in a ring>.',
  };
  const facts = {
    attributes: { metal: 'Brass', weight_g: 21.5 },
    image_alts: ['A bangle of leaves'],
  };
  const { id } = await newProduct({
    ...words,
    ...facts,
    images,
    price: 1500,
    offerPrice: 1299.5,
    stock: 3,
  });
  const shifted = await countShifts(page);
  const answer = await page.goto(`/product/${id}`);
  expect(answer?.status()).toBe(200);
  await expect(page).toHaveTitle(`Thulasi & "Tulip" Bangle — ${shop.name}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.name);
  await expect(page.getByText(words.description)).toBeVisible();
  const product = page.locator('[data-product-view="page"]');
  await expect(product.locator('[data-price-now]').first()).toHaveText('₹1,299.50');
  await expect(product.locator('[data-price-was]')).toHaveText('₹1,500.00');
  await expect(product.getByText('SALE').first()).toBeVisible();
  await expect(page.getByText('Only 3 left in stock')).toHaveCount(lowStockNotes(3));
  await expect(page.getByText('21.5 g', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('Brass');
  await expect(page.getByText('Brass · 21.5 g')).toBeVisible();
  const image = page.getByRole('img', { name: 'A bangle of leaves' });
  await expect.poll(async () => isLoaded(image)).toBe(true);
  const thumbs = page.getByRole('list', { name: 'Choose a picture' }).getByRole('button');
  await expect(thumbs).toHaveCount(2);
  expect(await shifted()).toBeLessThan(0.01);
  await thumbs.nth(1).click();
  await expect(thumbs.nth(1)).toHaveAttribute('aria-current', 'true');
  await expect
    .poll(async () => isLoaded(page.getByRole('img', { name: `${words.name}, picture 2` })))
    .toBe(true);

  const { url } = runningShop();
  expect(await readTags(page, `/product/${id}`)).toEqual({
    title: `Thulasi &amp; &quot;Tulip&quot; Bangle — ${shop.name.replaceAll('&', '&amp;').replaceAll("'", '&#39;')}`,
    // The page does what built pages do: a local build asks not to be listed, one for production does not.
    robots: (await readTags(page, '/shop'))['robots'],
    ogTitle: 'Thulasi &amp; &quot;Tulip&quot; Bangle',
    ogDescription: 'Sixteen leaves of brass &lt;in a ring&gt;.',
    ogImage: `${url}/storage/v1/object/public/product-images/${images[0] ?? ''}`,
    ogUrl: `${url}/product/${id}`,
  });
  const share = page.getByRole('link', { name: 'Send on WhatsApp' });
  const message = new URL((await share.getAttribute('href')) ?? '').searchParams.get('text');
  expect(message).toBe(`${words.name}: ${url}/product/${id}`);

  await page.getByRole('spinbutton', { name: 'Quantity' }).fill('2');
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await expectToast(page, 'Added to cart!');
  await page.goto('/cart');
  await expect(page.getByText(words.name).first()).toBeVisible();
  await expect(page.getByText('₹2,599.00').first()).toBeVisible();
});

test('a size pressed while its script is loading is selected', async ({ page, newProduct }) => {
  const { id } = await newProduct({
    stock: 3,
    sizes: [
      { size: '2.4', stock: 2 },
      { size: '2.6', stock: 1 },
    ],
  });
  const { promise: pressed, resolve: press } = Promise.withResolvers<undefined>();
  await page.route(/\/_astro\/size-picker\./u, async (route) => {
    await pressed;
    await route.continue();
  });
  await page.goto(`/product/${id}`);
  const size = page.getByRole('radio', { name: '2.6' });
  await size.hover();
  await page.mouse.down();
  press(undefined);
  await expect(page.locator('[data-chips] input')).toHaveCount(2);
  await page.mouse.up();
  await expect(size).toBeChecked();
  await expect(page.getByText('Only 1 left in this size')).toBeVisible();
});

test('a product taken away after the build is not found: the page of a built one says so, that of a newer one answers 404', async ({
  page,
  expectProblem,
}) => {
  const { id } = await insertProduct({ name: 'Short-lived Bangle' });
  await deleteProduct(id);
  expectProblem(new RegExp(`404.*${id}|status of 404`, 'u'));
  const answer = await page.goto(`/product/${id}`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Product not found');

  await page.goto('/shop');
  const built = (await page.locator('.card-name a').first().getAttribute('href')) ?? '';
  // Other tests count the catalogue at this moment: the database answers without this product in this browser alone.
  await page.route('**/rest/v1/products?*', async (route) => {
    const rows = (await (await route.fetch()).json()) as { id: string }[];
    await route.fulfill({ json: rows.filter((row) => !built.endsWith(row.id)) });
  });
  await page.goto(built);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Product not found');
  await expect(page).toHaveTitle('Product not found');
  await expect(page.getByRole('link', { name: 'Back to Shop' })).toHaveAttribute('href', '/shop');
  await expect(page.locator('.buy')).toHaveCount(0);
});

test('a price and a stock that changed after the build show on the card and on the page', async ({
  page,
}) => {
  const name = 'Ezhuthu Dress Watch';
  const { id, restore } = await changeProduct(name, { price: 4321, offerPrice: 3210.5, stock: 2 });
  try {
    await page.goto('/shop');
    const card = page.getByRole('article').filter({ hasText: name });
    await card.scrollIntoViewIfNeeded();
    await expect(card.locator('[data-price-now]')).toHaveText('₹3,210.50');
    await expect(card.locator('[data-price-was]')).toHaveText('₹4,321.00');
    await expect(card.getByText('Only 2 left')).toBeVisible();
    await expect(card.getByText('SALE')).toBeVisible();
    await page.goto(`/product/${id}`);
    const product = page.locator('[data-product-view="page"]');
    await expect(product.locator('[data-price-now]').first()).toHaveText('₹3,210.50');
    await expect(page.getByText('Only 2 left in stock')).toBeVisible();
    await expect(page.getByRole('spinbutton', { name: 'Quantity' })).toHaveAttribute('max', '2');
  } finally {
    await restore();
  }
});

test('an image at any https address is shown as it is, on the page and in the cart', async ({
  page,
  newProduct,
}) => {
  const body = await sharp({
    create: { width: 600, height: 400, channels: 3, background: '#c9a227' },
  })
    .png()
    .toBuffer();
  await page.route('https://pictures.example/**', async (route) =>
    route.fulfill({ body, contentType: 'image/png' }),
  );
  const images = ['https://pictures.example/bangle.png', await imageOf('Chandrika Jimikki')];
  const { id } = await newProduct({ name: 'Far-off Bangle', images });
  const shifted = await countShifts(page);
  await page.goto(`/product/${id}`);
  const image = page.getByRole('img', { name: 'Far-off Bangle', exact: true });
  await expect(image).toHaveAttribute('src', images[0] ?? '');
  await expect.poll(async () => isLoaded(image)).toBe(true);
  expect(await shifted()).toBeLessThan(0.01);
  expect((await readTags(page, `/product/${id}`))['ogImage']).toBe(images[0]);

  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await page.goto('/cart');
  const inCart = page.locator(`[data-product="${id}"] img`);
  await expect(inCart).toHaveAttribute('src', images[0] ?? '');
  await expect.poll(async () => isLoaded(inCart)).toBe(true);
});
