import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { Locator, Page } from '@playwright/test';
import { sizeGuideOf } from '#domain/catalogue/worn-by-size.ts';
import { csvText, parseCsv } from '#domain/csv.ts';
import { categories } from '#settings/categories.ts';
import { deleteProduct, readProduct } from '#tests/browser/catalogue/product-rows.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { openAndCheck, press } from '#tests/browser/support/dialog-fit.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { expect, findRow, openAdmin, openMore, test } from '#tests/browser/admin/admin-page.ts';

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
  await expect(dialog.getByText('Choose file')).toBeVisible();
  return dialog;
}

/** A category whose products say their size, where the shop has one: 'rings'. */
const wornBySize = categories.find(({ slug }) => sizeGuideOf(slug) !== null);
const category = wornBySize ?? shopCategory(0);

test('products are imported from a file with their images after its faults were shown, and are exported again', async ({
  page,
}) => {
  const name = `Vanki ${mark()}`;
  const header = 'Name;Price;Category;Stock;Description;Picture 1;Colour';
  const dialog = await openFileDialog(page);
  await dialog
    .getByLabel('Choose file')
    .setInputFiles(
      csv('faults.csv', `${header}\r\n${name};"499,50";${category.slug};2;;vanki.png;green\r\n`),
    );
  await expect(dialog.getByRole('group', { name: 'Changes in the file' })).toBeFocused();
  // Rings say their size; this one is asked about.
  const size = dialog.getByLabel(/that say no size: 1 product/u);
  await expect(size).toHaveCount(wornBySize ? 1 : 0);
  if (wornBySize) await size.fill('One size: 14');
  await expect(dialog.getByRole('list', { name: 'Faults' })).toBeInViewport({ ratio: 1 });
  const faults = dialog.getByRole('list', { name: 'Faults' }).getByRole('listitem');
  await expect(faults).toHaveText([
    /^Row 2, Picture 1: “vanki\.png”\. There is no “vanki\.png”/u,
    /^Row 2, Price: “499,50”\. Price must be in rupees/u,
  ]);
  await expect(dialog.getByText('What the columns are (6 of 7 are read)')).toBeVisible();
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
    .getByLabel('Choose another file')
    .or(dialog.getByLabel('Choose file'))
    .setInputFiles(
      csv(
        'good.csv',
        `${header}\r\n${name};"₹1,499";"${category.label}";2;"Two\nlines";vanki.png;\r\n`,
      ),
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
  await again.getByLabel('Choose file').setInputFiles(csv('export.csv', csvText(own)));
  await expect(
    again.getByText('There is nothing to save: the shop already has all of this.'),
  ).toBeVisible();
  await again
    .getByLabel('Choose another file')
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

test('every button of the dialog fits on a phone, also above a keyboard', async ({ page }) => {
  await openMore(page);
  await openAndCheck(page, 'Products in a spreadsheet', async () => {
    await press(page, 'Import, export')();
    const file = page.getByRole('dialog', { name: 'Products in a spreadsheet' });
    await file.getByLabel('Choose file').setInputFiles({
      name: 'new.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        `Name,Category,Price,Stock,Size\nPalakka Mala,${shopCategory(1).slug},1499,3,Adjustable\n`,
      ),
    });
    await expect(file.getByRole('button', { name: 'Add 1', exact: true })).toBeVisible();
  });
});
