import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { expect, findRow, openAdmin, test } from '#tests/browser/admin/admin-page.ts';

/** A name that no other test uses. */
const newName = () => `Thread ${crypto.randomUUID().slice(0, 8)}`;

test('a product is deleted after asking, and brought back from the list of deleted ones', async ({
  page,
  newProduct,
}) => {
  const product = await newProduct({ name: newName() });
  await openAdmin(page);
  const row = await findRow(page, product.name);
  await row.getByRole('button', { name: `Delete ${product.name}` }).click();
  const question = page.getByRole('dialog', { name: `Delete ${product.name}?` });
  await expect(question.getByText('You can bring it back for 30 days.')).toBeVisible();
  await expect(question.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await expectAccessible(page, 'the question before deleting');
  await question.getByRole('button', { name: 'Keep it' }).click();
  await row.getByRole('button', { name: `Delete ${product.name}` }).click();
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('No products found')).toBeVisible();
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'Brought back', product.name);
  await row.getByRole('button', { name: `Delete ${product.name}` }).click();
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await expectToast(page, 'Deleted');
  await expect(page.getByText('No products found')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Products', exact: true })).toBeFocused();
  await page.getByLabel('Show', { exact: true }).selectOption('deleted');
  await expect(row.getByText(/^Deleted on .*, can be brought back until/u)).toBeVisible();
  await expectAccessible(page, 'the deleted products');
  await row.getByRole('button', { name: `Bring back ${product.name}` }).press('Enter');
  await expectToast(page, 'Brought back');
  await expect(page.getByText('No products found')).toBeVisible();
  await page.getByLabel('Show', { exact: true }).selectOption('all');
  await expect(row.getByRole('button', { name: `Edit ${product.name}` })).toBeVisible();
});

test('a product is hidden with a switch of its form or from the list, which marks it', async ({
  page,
  newProduct,
}) => {
  const product = await newProduct({ name: newName() });
  await openAdmin(page);
  const row = await findRow(page, product.name);
  await row.getByRole('button', { name: `Edit ${product.name}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Product' });
  await dialog.getByLabel('Show in the shop').uncheck();
  await expect(dialog.getByText('Kept here for you alone.')).toBeVisible();
  await expectAccessible(page, 'a hidden product in its form');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Updated');
  await expect(row.getByText('Hidden from the shop')).toBeVisible();
  // The list does the same without the form.
  const more = page.getByRole('group', { name: `More for ${product.name}` });
  for (const press of ['Show in the shop', 'Hide from the shop']) {
    await row.getByRole('button', { name: `More for ${product.name}` }).click();
    await more.getByRole('button', { name: press }).click();
    await expect(more).toBeHidden();
  }
  await page.getByLabel('Show', { exact: true }).selectOption('visible');
  await expect(page.getByText('No products found')).toBeVisible();
  await page.getByLabel('Show', { exact: true }).selectOption('hidden');
  await expect(row).toBeVisible();
});
