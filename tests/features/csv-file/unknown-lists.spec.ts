import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';
import { expect, openMore, test } from '#tests/browser/admin/admin-page.ts';

test.use({ viewport: { width: 360, height: 780 } });

const file = (name: string, text: string) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});

async function openImport(page: Page): Promise<Locator> {
  await openMore(page);
  await page.getByRole('button', { name: 'Import, export' }).click();
  return page.getByRole('dialog', { name: 'Products in a spreadsheet' });
}

/** Sizes that rings are asked for, where the shop has such a category. */
async function answerSizes(dialog: Locator): Promise<void> {
  for (const size of await dialog.getByLabel(/that say no size/u).all())
    await size.fill('Adjustable');
}

test('a list with columns that nobody knows asks for its names, shows its prices as a guess, and forgets what was chosen', async ({
  page,
}) => {
  const { slug } = shopCategory(0);
  const list = file(
    'list.csv',
    `Stock list\n\nMaal,Group,Cost Price,Selling Price,Closing Qty\nLeaf,${slug},120,450,4\nBud,${slug},90,300,2\n`,
  );
  const dialog = await openImport(page);
  await dialog.getByLabel('Choose file').setInputFiles(list);
  await expect(dialog.getByText('list.csv, the names of the columns in row 3')).toBeVisible();
  await expect(dialog.getByRole('alert')).toContainText('Choose the column with the names');
  const prices = dialog.getByRole('region', { name: 'What customers pay' });
  await expect(prices.getByLabel('Price', { exact: true })).toHaveValue('Selling Price');
  await expect(dialog.getByRole('button', { name: /^Add/u })).toHaveCount(0);

  await dialog.getByLabel('Maal').selectOption('Name');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await expect(prices.getByRole('listitem')).toHaveText([
    '“Leaf” would cost ₹450.00',
    '“Bud” would cost ₹300.00',
  ]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page, 'the question about the prices of a list');
  await prices.getByRole('button', { name: 'Yes, customers pay this' }).click();
  await answerSizes(dialog);
  await expect(dialog.getByText('2 products would be added.')).toBeVisible();
  await expect(dialog.getByText('Not brought over: Cost Price')).toBeVisible();

  // What was said is remembered, and nothing that is said makes the choice itself go away.
  await dialog.getByLabel('Choose another file').setInputFiles(list);
  await expect(dialog.getByText('2 products would be added.')).toBeVisible();
  await dialog.getByText('What the columns are (4 of 5 are read)').click();
  await dialog.getByLabel('Maal').selectOption('Do not read it');
  await expect(dialog.getByRole('alert')).toContainText('Choose the column with the names');
  await dialog.getByLabel('Choose another file').setInputFiles(list);
  await expect(dialog.getByRole('alert')).toContainText('Choose the column with the names');
  await dialog.getByRole('button', { name: 'Forget these choices' }).click();
  await expect(prices).toBeVisible();
});

test('a product with a price for each metal comes in as one for each, once the admin says so', async ({
  page,
}) => {
  const { label } = shopCategory(1);
  const dialog = await openImport(page);
  await dialog
    .getByLabel('Choose file')
    .setInputFiles(
      file(
        'products_export.csv',
        `Handle,Title,Type,Published,Option1 Value,Option2 Value,Variant Inventory Tracker,Variant Inventory Qty,Variant Price,Tags\nchain,Chain,${label},true,14k White Gold,15 inch,shopify,2,695,a\nchain,,,,14k Yellow Gold,15 inch,shopify,1,795,\n`,
      ),
    );
  await expect(dialog.getByRole('list', { name: 'Faults' })).toContainText('different prices');
  await dialog.getByRole('checkbox', { name: /several products of each/u }).check();
  await expect(dialog.getByText('2 products would be added.')).toBeVisible();
  await expect(dialog.getByText('Chain, 14k White Gold').first()).toBeVisible();
  await expect(dialog.getByText('Not brought over: Tags')).toBeVisible();
});

test('a file that is no table says what it is, and what to do', async ({ page }) => {
  const dialog = await openImport(page);
  await dialog
    .getByLabel('Choose file')
    .setInputFiles(file('feed.csv', '<?xml version="1.0"?><rss><channel></channel></rss>'));
  await expect(dialog.getByRole('alert')).toContainText('This is an XML file');
});

test('an answer is typed letter by letter without losing the field', async ({ page }) => {
  const { slug } = shopCategory(1);
  const dialog = await openImport(page);
  await dialog
    .getByLabel('Choose file')
    .setInputFiles(file('list.csv', `Name,Category,Price,Shelf\nLeaf,${slug},450,x\n`));
  const units = dialog.getByLabel(/Units of each product/u);
  await expect(dialog.getByText('1 product waits for your answer above.')).toBeVisible();
  await units.pressSequentially('12');
  await expect(units).toHaveValue('12');
  await answerSizes(dialog);
  await expect(dialog.getByText('1 product would be added.')).toBeVisible();
});
