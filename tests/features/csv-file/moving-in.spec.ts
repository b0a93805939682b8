import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import type { Locator, Page } from '@playwright/test';
import * as z from 'zod';
import { csvText } from '#domain/csv.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';
import { supabaseAs } from '#tests/browser/support/running-shop.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { expect, openMore, test } from '#tests/browser/admin/admin-page.ts';

test.use({ viewport: { width: 360, height: 780 } });

/** Another shop's server of images: `/1.jpg` to `/99.jpg`, a page, and a way into a private network. */
async function serveImages(): Promise<{ origin: string; server: Server }> {
  const image = await sharp({
    create: { width: 600, height: 600, channels: 3, background: 'goldenrod' },
  })
    .jpeg()
    .toBuffer();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://images.test').pathname;
    if (/^\/\d+\.jpg$/u.test(path)) response.setHeader('content-type', 'image/jpeg').end(image);
    else if (path === '/inside.jpg')
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
    else if (path === '/page.jpg')
      response.setHeader('content-type', 'text/html').end('<p>Sign in');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${String(port)}`, server };
}

const headings = [
  ...['Title', 'URL handle', 'Description', 'Vendor', 'Product category', 'Type', 'Tags'],
  ...['Published on online store', 'Status', 'SKU', 'Option1 name', 'Option1 value', 'Price'],
  ...['Compare-at price', 'Inventory tracker', 'Inventory quantity', 'Weight value (grams)'],
  ...['Product image URL', 'Image position', 'Image alt text', 'Gift card'],
];

/** A type of product that no jeweller has as a category. */
const elsewhere = 'Gift wrap';

/** Sixty products as Shopify exports them: every third in two sizes, every fifth on offer, every tenth a draft. */
function shopifyFile(mark: string, images: (product: number) => readonly string[]): string {
  const type = shopCategory(0).label;
  const rows = Array.from({ length: 60 }, (_, index) => index + 1).flatMap((product) => {
    const handle = `${mark}-${String(product)}`;
    const price = String(1_000 + product);
    const variant = {
      'URL handle': handle,
      Price: product % 5 === 0 ? String(900 + product) : price,
      'Compare-at price': product % 5 === 0 ? price : '',
      'Inventory tracker': 'shopify',
    };
    const [first = '', ...others] = images(product);
    return [
      {
        ...variant,
        Title: `Moved ${handle}`,
        Description: `<p>Made by hand &amp; heart.</p><ul><li>Product ${String(product)}</li></ul>`,
        Type: product === 60 ? elsewhere : type,
        'Published on online store': 'true',
        Status: product % 10 === 0 ? 'draft' : 'active',
        'Option1 name': product % 3 === 0 ? 'Size' : 'Title',
        'Option1 value': product % 3 === 0 ? '12' : 'Default Title',
        'Inventory quantity': product % 3 === 0 ? '2' : '-1',
        'Weight value (grams)': '4',
        'Product image URL': first,
        'Image position': '1',
        'Image alt text': first === '' ? '' : `Product ${String(product)} on a hand`,
      },
      ...(product % 3 === 0
        ? [{ ...variant, 'Option1 value': '14', 'Inventory quantity': '3' }]
        : []),
      ...others.map((address, at) => ({
        'URL handle': handle,
        'Product image URL': address,
        'Image position': String(at + 2),
      })),
    ];
  });
  return csvText([
    headings,
    ...rows.map((row: Readonly<Record<string, string>>) => headings.map((name) => row[name] ?? '')),
  ]);
}

async function openImport(page: Page): Promise<Locator> {
  await openMore(page);
  await page.getByRole('button', { name: 'Import, export' }).click();
  return page.getByRole('dialog', { name: 'Products in a spreadsheet' });
}

const movedSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    price: z.coerce.number(),
    offerPrice: z.nullable(z.coerce.number()),
    stock: z.number(),
    sizes: z.array(z.object({ size: z.string(), stock: z.number() })),
    hidden: z.boolean(),
    images: z.array(z.string()),
    image_alts: z.array(z.string()),
  }),
);

test('a shop of sixty products moves in from a Shopify file with its images, and its old addresses lead to the new pages', async ({
  page,
  expectProblem,
}) => {
  test.slow();
  // The preview shows images by https, as a real shop has them; three cannot be had.
  expectProblem(/127\.0\.0\.1|images\/from-address|catalogue\/save|ERR_FAILED/u);
  const mark = `m${crypto.randomUUID().slice(0, 7)}`;
  const { origin, server } = await serveImages();
  const products = supabaseAs('shop').from('products');
  const moved = async () =>
    movedSchema.parse((await products.select('*').like('name', `Moved ${mark}-%`)).data);
  try {
    const file = {
      name: 'products_export.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        shopifyFile(mark, (product) => {
          if (product === 2) return [`${origin}/missing.jpg`];
          if (product === 4) return [`${origin}/inside.jpg`];
          if (product === 7) return [`${origin}/page.jpg`];
          return product === 60 ? [] : [1, 2].map((at) => `${origin}/${String(product + at)}.jpg`);
        }),
      ),
    };
    const dialog = await openImport(page);
    await dialog.getByLabel('Choose file').setInputFiles(file);
    await expect(dialog.getByText('products_export.csv, from Shopify')).toBeVisible();
    for (const size of await dialog.getByLabel(/that say no size/u).all())
      await size.fill('Adjustable');
    await expect(dialog.getByText('1 product waits for your answer above.')).toBeVisible();
    await dialog.getByLabel(`${elsewhere}: 1 product`).selectOption('Leave these out');
    await expect(dialog.getByText('59 products would be added.')).toBeVisible();
    const preview = dialog.getByRole('region', { name: 'As customers would see it' });
    await expect(preview.getByRole('listitem').nth(2)).toContainText('12: 2, 14: 3');
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await expectAccessible(page, 'the import of another shop’s file');

    // The connection breaks in the second of three parts: what was saved stays, and nothing comes in twice.
    let parts = 0;
    await page.route('**/api/admin/catalogue/save', (route) => {
      parts += 1;
      return parts === 2 ? route.abort() : route.continue();
    });
    await dialog.getByRole('button', { name: 'Add 59', exact: true }).click();
    await expect(dialog.getByText('17 products came with this file before')).toBeVisible({
      timeout: 60_000,
    });
    await expectToast(page, 'Saved', '17 added, 0 changed.');
    await dialog.getByRole('button', { name: 'Add 42', exact: true }).click();
    const failed = dialog.getByRole('alert');
    await expect(failed).toContainText('3 pictures could not be brought over', { timeout: 60_000 });
    await expectToast(page, 'Saved', '39 added, 0 changed.');
    await expect(failed.getByRole('listitem')).toHaveText([
      /missing\.jpg There is no picture at this address any more/u,
      /inside\.jpg This is not the address of a picture on the internet/u,
      /page\.jpg This address leads to a page, not to a picture/u,
    ]);
    await failed.getByRole('button', { name: 'Go on without these pictures' }).click();
    await dialog.getByRole('button', { name: 'Add 3', exact: true }).click();
    await expect(dialog).toBeHidden();

    const rows = await moved();
    expect(rows).toHaveLength(59);
    expect(rows.filter(({ hidden }) => hidden)).toHaveLength(5);
    expect(rows.filter(({ sizes }) => sizes.length === 2)).toHaveLength(19);
    expect(rows.flatMap(({ images }) => images)).toHaveLength(112);
    expect(
      rows
        .flatMap(({ images }) => images)
        .filter((path) => !/^products\/[\w-]+\.webp$/u.test(path)),
    ).toEqual([]);
    const third = rows.find(({ name }) => name === `Moved ${mark}-15`);
    expect(third).toMatchObject({
      description: 'Made by hand & heart.\n\n• Product 15',
      price: 1_015,
      offerPrice: 915,
      stock: 5,
      image_alts: ['Product 15 on a hand', ''],
    });
    expect(rows.find(({ name }) => name === `Moved ${mark}-1`)?.stock).toBe(0);

    const old = await page.request.get(`/collections/all/products/${mark}-15`, { maxRedirects: 0 });
    expect([old.status(), old.headers()['location']]).toEqual([301, `/product/${third?.id ?? ''}`]);
    expect((await page.request.get(`/products/${mark}-60`)).status()).toBe(404);

    const again = await openImport(page);
    await again.getByLabel('Choose file').setInputFiles(file);
    await expect(
      again.getByText('59 products came with this file before and stay as in the shop now.'),
    ).toBeVisible();
    await expect(again.getByRole('button', { name: /^Add/u })).toHaveCount(0);
  } finally {
    server.close();
    await products.delete().like('name', `Moved ${mark}-%`);
  }
});
