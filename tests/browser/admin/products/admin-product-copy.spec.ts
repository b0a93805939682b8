import { deleteProduct, readProduct } from '#tests/browser/catalogue/product-rows.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import {
  expect,
  findRow,
  openAdmin,
  openNewProduct,
  test,
} from '#tests/browser/admin/admin-page.ts';

const newName = () => `Thread ${crypto.randomUUID().slice(0, 8)}`;

test('a product is duplicated from the list: the copy is a new product with a name and a stock of its own', async ({
  page,
  newProduct,
}) => {
  const product = await newProduct({ name: newName(), description: 'Of one kind.', stock: 7 });
  const copyName = newName();
  await openAdmin(page);
  // The draft of another new product stays what it is.
  const begun = await openNewProduct(page);
  await begun.getByLabel('Name', { exact: true }).fill('Begun before');
  await page.keyboard.press('Escape');
  await (
    await findRow(page, product.name)
  )
    .getByRole('button', { name: `More for ${product.name}` })
    .click();
  await page.getByRole('button', { name: 'Duplicate' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add Product' });
  const name = dialog.getByLabel('Name', { exact: true });
  await expect(name).toBeFocused();
  await expect(name).toHaveValue(`${product.name} (copy)`);
  await expect(dialog.getByLabel('Stock')).toHaveValue('');
  await name.fill(copyName);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added');
  const id = (await (await findRow(page, copyName)).getAttribute('data-product')) ?? '';
  try {
    expect(await readProduct(id)).toMatchObject({
      name: copyName,
      description: 'Of one kind.',
      stock: 0,
    });
    expect(await readProduct(product.id)).toMatchObject({ name: product.name, stock: 7 });
    await page.getByRole('button', { name: 'Continue with Begun before' }).click();
    await expect(name).toHaveValue('Begun before');
  } finally {
    await deleteProduct(id);
  }
});
