import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { Locator, Page } from '@playwright/test';
import { csvText, parseCsv } from '../../../../src/domain/csv.ts';
import { deleteProduct, readProduct } from '../../catalogue/product-rows.ts';
import { expectAccessible } from '../../support/accessible.ts';
import { overflowOf } from '../../support/page-state.ts';
import { expectToast } from '../../support/toasts.ts';
import { expect, findRow, openAdmin, openMore, test } from '../admin-page.ts';

test.use({ viewport: { width: 360, height: 780 } });

const mark = (): string => `k${crypto.randomUUID().slice(0, 7)}`;
const csv = (name: string, text: string) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});

async function openFileDialog(page: Page): Promise<Locator> {
  await openMore(page);
  await page.getByRole('button', { name: 'Import, export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Products in a spreadsheet' });
  await expect(dialog.getByText('Choose CSV file')).toBeVisible();
  return dialog;
}

test('products are imported from a file with their images after its faults were shown, and are exported again', async ({
  page,
}) => {
  const name = `Vanki ${mark()}`;
  const header = 'Name;Price;Category;Stock;Description;Picture 1;Colour';
  const dialog = await openFileDialog(page);
  await dialog
    .getByLabel('Choose CSV file')
    .setInputFiles(csv('faults.csv', `${header}\r\n${name};"499,50";rings;2;;vanki.png;green\r\n`));
  await expect(dialog.getByRole('group', { name: 'Changes in the file' })).toBeFocused();
  await expect(dialog.getByRole('list', { name: 'Faults' })).toBeInViewport({ ratio: 1 });
  const faults = dialog.getByRole('list', { name: 'Faults' }).getByRole('listitem');
  await expect(faults).toHaveText([
    /^Row 2, Picture 1: “vanki\.png”\. There is no “vanki\.png”/u,
    /^Row 2, Price: “499,50”\. Price must be in rupees/u,
  ]);
  await expect(
    dialog.getByText('Columns that the shop does not know, and does not read: Colour.'),
  ).toBeVisible();
  await expectAccessible(page, 'an import with faults');

  await dialog.getByLabel('Choose picture files').setInputFiles({
    name: 'Vanki.PNG',
    mimeType: 'image/png',
    buffer: await sharp({ create: { width: 60, height: 60, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  });
  await expect(faults).toHaveCount(1);
  await dialog
    .getByLabel('Choose another CSV file')
    .or(dialog.getByLabel('Choose CSV file'))
    .setInputFiles(
      csv('good.csv', `${header}\r\n${name};"₹1,499";Rings;2;"Two\nlines";vanki.png;\r\n`),
    );
  await expect(dialog.getByText('1 product would be added.')).toBeVisible();
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await dialog.getByRole('button', { name: 'Add 1', exact: true }).click();
  await expectToast(page, 'Saved', '1 added, 0 changed.');
  await openAdmin(page);
  const id = (await (await findRow(page, name)).getAttribute('data-product')) ?? '';
  expect(await readProduct(id)).toMatchObject({
    price: 1499,
    description: 'Two\nlines',
    images: [expect.stringMatching(/^products\/[\w-]{36}\.webp$/u)],
  });

  const again = await openFileDialog(page);
  const template = page.waitForEvent('download');
  await again.getByRole('link', { name: 'Empty template' }).click();
  expect(await readFile(await (await template).path(), 'utf8')).toMatch(
    /^\u{feff}ID,Name,Category,Price,/u,
  );
  const downloading = page.waitForEvent('download');
  await again.getByRole('link', { name: 'Export the catalogue' }).click();
  const read = parseCsv(await readFile(await (await downloading).path(), 'utf8'));
  // The products of other tests come and go.
  const own = read.ok ? read.rows.filter((row, line) => line === 0 || row.includes(name)) : [];
  await again.getByLabel('Choose CSV file').setInputFiles(csv('export.csv', csvText(own)));
  await expect(
    again.getByText('There is nothing to save: the shop already has all of this.'),
  ).toBeVisible();
  await again
    .getByLabel('Choose another CSV file')
    .setInputFiles(
      csv(
        'price.csv',
        csvText(own.map((row) => row.map((cell) => (cell === '1499' ? '1299' : cell)))),
      ),
    );
  await expect(again.getByText('Price: ₹1499 → ₹1299')).toBeVisible();
  await again.getByRole('button', { name: 'Change 1', exact: true }).click();
  await expectToast(page, 'Saved', '0 added, 1 changed.');
  expect(await readProduct(id)).toMatchObject({ price: 1299, stock: 2 });
  await deleteProduct(id);
});

test('several products get another price, are hidden, deleted and brought back; one that changed meanwhile stops all', async ({
  page,
  newProduct,
  expectProblem,
}) => {
  expectProblem(/409/u);
  const series = mark();
  const [first, second] = [
    await newProduct({ name: `Mala ${series} one`, price: 100, offerPrice: 90 }),
    await newProduct({ name: `Mala ${series} two`, price: 200 }),
  ];
  await openAdmin(page);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await findRow(page, first.name);
  await page.getByLabel('Search', { exact: true }).fill(`Mala ${series}`);
  await expect(page.getByText('Showing 2 of 2 products')).toBeVisible();
  const bar = page.getByRole('group', { name: 'Selected products' });
  for (const { name } of [first, second])
    await page.getByRole('checkbox', { name: `Select ${name}` }).press('Space');
  await expect(bar.getByText('2 products selected')).toBeVisible();
  await bar.getByRole('button', { name: 'Price…' }).click();
  const price = page.getByRole('dialog', { name: 'Price of 2 products' });
  await price.getByLabel('How many per cent').fill('12.5');
  await expect(price.getByRole('list', { name: 'Result' })).toContainText(
    '₹100.00 → ₹113.00, offer ₹90.00 → ₹101.00',
  );
  await expectAccessible(page, 'a price for several products');
  await price.getByRole('button', { name: 'Change 2 products' }).click();
  await expectToast(page, '2 products changed');
  expect([await readProduct(first.id), await readProduct(second.id)]).toMatchObject([
    { price: 113 },
    { price: 225 },
  ]);

  // The list shows the new prices; then another device changes one of the products.
  for (const shown of ['₹101.00', '₹225.00']) await expect(page.getByText(shown)).toBeVisible();
  await page.evaluate(async (id) => {
    const { product } = (await (await fetch(`/api/admin/products/${id}`)).json()) as {
      product: Record<string, unknown>;
    };
    const {
      id: _id,
      createdAt: _at,
      deletedAt: _deleted,
      unpublished: _waits,
      updatedAt,
      ...fields
    } = product;
    const body = JSON.stringify({
      product: { ...fields, price: 30_000 },
      seen: { updatedAt, stock: fields['stock'] },
    });
    await fetch(`/api/admin/products/${id}`, {
      method: 'PUT',
      body,
      headers: { 'content-type': 'application/json' },
    });
  }, second.id);
  await bar.getByRole('button', { name: 'Hide', exact: true }).click();
  await expect(bar.getByText(`${second.name} was changed elsewhere.`)).toBeVisible();
  await expect(page.getByText('Hidden from the shop')).toHaveCount(0);
  await expect(page.getByText('₹300.00')).toBeVisible();
  await bar.getByRole('button', { name: 'Hide', exact: true }).click();
  await expect(page.getByText('Hidden from the shop')).toHaveCount(2);
  await expectAccessible(page, 'several products chosen');
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);

  await bar.getByRole('button', { name: 'Delete…' }).click();
  await page
    .getByRole('dialog', { name: 'Delete 2 products?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(bar.getByText('2 products deleted.')).toBeVisible();
  await expect(page.getByText('Showing 0 of 0 products')).toBeVisible();
  await bar.getByRole('button', { name: 'Bring back' }).click();
  await expectToast(page, '2 products brought back');
  await expect(page.getByText('Showing 2 of 2 products')).toBeVisible();
});

test('‘Select all’ takes every product that the search finds, not only those that are loaded', async ({
  page,
  newProduct,
}) => {
  const own = mark();
  for (let count = 0; count < 26; count += 1)
    await newProduct({ name: `Many ${own} ${String(count)}` });
  await openAdmin(page);
  await page.getByLabel('Search', { exact: true }).fill(own);
  await expect(page.getByText('Showing 24 of 26 products')).toBeVisible();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  const bar = page.getByRole('group', { name: 'Selected products' });
  await bar.getByRole('button', { name: 'Select all 26' }).click();
  await expect(bar.getByText('26 products selected')).toBeVisible();
  await expect(page.getByText('Showing 26 of 26 products')).toBeVisible();
  await bar.getByRole('button', { name: 'Select none' }).click();
  await expect(bar.getByText('Choose products in the list.')).toBeVisible();
});
