import { expect, findRow, openAdmin, test } from '#tests/browser/admin/admin-page.ts';
import { readProduct } from '#tests/browser/catalogue/product-rows.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { openAndCheck, press } from '#tests/browser/support/dialog-fit.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';

test.use({ viewport: { width: 360, height: 780 } });

const mark = (): string => `k${crypto.randomUUID().slice(0, 7)}`;

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

test('every button of the dialogs fits on a phone, also above a keyboard', async ({
  page,
  newProduct,
}) => {
  const { name } = await newProduct({ name: `Mala ${mark()}` });
  await openAdmin(page);
  await findRow(page, name);
  await press(page, 'Select')();
  await press(page, /^Select all/u)();
  await openAndCheck(page, /^Price/u, press(page, 'Price…'));
  await openAndCheck(page, /^Category/u, press(page, 'Category…'));
  await openAndCheck(page, /^Delete 1/u, press(page, 'Delete…'));
  await press(page, 'Done')();
});
