import { readProduct } from '#tests/browser/catalogue/product-rows.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { expect, findRow, openAdmin, test } from '#tests/browser/admin/admin-page.ts';

test('the admin gives a bangle its sizes with a few presses, and customers choose among them before the next build', async ({
  page,
  newProduct,
}) => {
  const product = await newProduct({ name: `Vala ${crypto.randomUUID().slice(0, 8)}`, stock: 7 });
  await page.setViewportSize({ width: 360, height: 740 });
  await openAdmin(page);
  await (
    await findRow(page, product.name)
  )
    .first()
    .getByRole('button', { name: `Edit ${product.name}` })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Edit Product' });
  await dialog.getByLabel('This product comes in sizes').check();
  await dialog.getByRole('button', { name: 'Bangles 2.2–2.8' }).click();
  // The stock that was typed before asks for a size, and is not saved as none.
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('All sizes are at 0. Into which size do the 7 go?')).toBeVisible();
  await dialog.getByRole('button', { name: '7 in size 2.2' }).click();
  await expect(dialog.getByLabel('Stock of size 2.2')).toHaveValue('7');
  await dialog.getByLabel('Stock of size 2.2').fill('5');
  for (let press = 0; press < 2; press += 1)
    await dialog.getByRole('button', { name: 'Increase quantity of size 2.4' }).click();
  await dialog.getByRole('button', { name: 'Remove size 2.8' }).click();
  await dialog.getByLabel('Other sizes').fill('Free size, 3');
  await dialog.getByLabel('Other sizes').press('Enter');
  await dialog.getByLabel('Stock of size Free size').fill('1');
  await expect(dialog.getByLabel('Stock', { exact: true })).toHaveValue('8');
  await expectAccessible(page, 'the form with sizes');
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Updated');
  expect(await readProduct(product.id)).toMatchObject({ stock: 8 });
  const row = (await findRow(page, product.name)).first();
  await expect(row).toContainText('5 sizes, sold out: 2.6, 3');
  // The list can change the price alone; its button leads back to the sizes.
  await row.getByRole('button', { name: /^Change price and stock/u }).click();
  await page.getByRole('button', { name: '8 in 5 sizes: change' }).click();
  await expect(dialog.getByLabel('Stock of size 2.4')).toHaveValue('2');
  await dialog.getByRole('button', { name: 'Close' }).first().click();

  await page.goto(`/product/${product.id}`);
  await expect(page.getByRole('radio')).toHaveCount(5);
  await page.getByRole('radio', { name: '2.4' }).check();
  await expect(page.getByText('Only 2 left in this size')).toBeVisible();
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await expectToast(page, 'Added to cart!', `${product.name} · Size 2.4`);
});
