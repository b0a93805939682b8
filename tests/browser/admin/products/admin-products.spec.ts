import { expectAccessible } from '#tests/browser/support/accessible.ts';
import {
  expect,
  findRow,
  openAdmin,
  openNewProduct,
  logInAsAdmin,
  sizeField,
  test,
} from '#tests/browser/admin/admin-page.ts';
import { categories } from '#settings/categories.ts';
import { changeProduct, deleteProduct } from '#tests/browser/catalogue/product-rows.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';

/** A name that no other test uses. */
const newName = () => `Thread ${crypto.randomUUID().slice(0, 8)}`;

test('the list searches, filters, sorts, loads more and says how many it shows; a form with gaps names each in the words of the spec', async ({
  page,
}) => {
  await openAdmin(page);
  const rows = page.getByRole('table', { name: 'Products' }).getByRole('row');
  await expect(page.getByText(/^Showing 24 of \d\d products$/u)).toBeVisible();
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(33);
  for (const column of ['Product', 'Category', 'Price', 'Stock', 'Actions']) {
    await expect(page.getByRole('columnheader', { name: column, exact: true })).toBeAttached();
  }
  const row = await findRow(page, 'Muthu Embrace Ring');
  await expect(row.getByRole('cell', { name: shopCategory(0).label })).toBeVisible();
  await expect(row.getByText('3 units')).toHaveClass(/badge-yellow/u);
  await page.getByLabel('Search', { exact: true }).fill('no such piece');
  await expect(page.getByText('No products found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear Filters' }).click();
  // The list shows as many as before the search.
  await expect(page.getByText(/^Showing (?!24 )\d\d of \d\d products$/u)).toBeVisible();
  await page.getByLabel('Stock', { exact: true }).selectOption('out');
  await expect(page.getByText('0 units').first()).toHaveClass(/badge-red/u);
  await expect(page.getByText(/^[1-9]\d* units$/u)).toHaveCount(0);
  await page.getByLabel('Stock', { exact: true }).selectOption('all');
  // Watches, or what a shop of fewer categories has instead.
  const last = categories.length > 4 ? shopCategory(4) : (categories.at(-1) ?? shopCategory(0));
  await page.getByLabel('Category', { exact: true }).selectOption(last.slug);
  const cells = ({ label }: typeof last) => page.getByRole('cell', { name: label, exact: true });
  await expect(cells(last).first()).toBeVisible();
  for (const other of categories.filter(({ slug }) => slug !== last.slug))
    await expect(cells(other)).toHaveCount(0);
  await expectAccessible(page, 'the product list');

  const dialog = await openNewProduct(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const refusal = dialog.getByRole('alert');
  await expect(refusal).toContainText('Missing fields');
  await expect(refusal).toContainText('Name, price, category required');
  for (const words of ['Name is required', 'Price is required', 'Category is required'])
    await expect(dialog.getByText(words)).toBeVisible();
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused();
  await expectAccessible(page, 'the product form with errors');
  await dialog.getByLabel('Name', { exact: true }).fill('x');
  await expect(dialog.getByText('Name is required')).toBeHidden();
  await dialog.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(dialog).toBeHidden();
});

test('a field that was changed elsewhere says so and nothing typed is lost; the next press saves', async ({
  page,
  newProduct,
  expectProblem,
}) => {
  expectProblem(/409/u);
  const product = await newProduct({ name: newName(), stock: 7, price: 500, description: 'Old.' });
  await openAdmin(page);
  const row = await findRow(page, product.name);
  await row.getByRole('button', { name: `Edit ${product.name}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Product' });
  const price = dialog.getByLabel('Price (₹)', { exact: true });
  const description = dialog.getByLabel('Description', { exact: true });
  await dialog.getByLabel('Stock').fill('9');
  await price.fill('1,250.50');
  await changeProduct(product.name, { stock: 5, price: 600, description: 'New.' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(price).toBeFocused();
  await expect(dialog.getByText('Changed meanwhile from ₹500 to ₹600: look again.')).toBeVisible();
  await expect(price).toHaveValue('1,250.50');
  await expect(dialog.getByText('Changed meanwhile from Old. to New.: look again.')).toBeVisible();
  await expect(description).toHaveValue('New.');
  await expect(dialog.getByLabel('Stock')).toHaveValue('7');
  await expect(dialog.getByRole('alert')).toContainText('What you typed is still here.');
  await expectAccessible(page, 'a product that was changed elsewhere');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Updated');
  await expect(dialog).toBeHidden();
  await expect(row.getByText('₹1,250.50')).toBeVisible();
});

test('an expired session keeps the form, and the press that failed is repeated after the log-in', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/401/u);
  const name = newName();
  await openAdmin(page);
  const dialog = await openNewProduct(page);
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Price (₹)', { exact: true }).fill('499');
  await dialog.getByLabel('Category').selectOption(shopCategory(3).slug);
  // Asked for in a category that is worn by size.
  await sizeField(dialog).fill('Adjustable');
  await context.clearCookies();
  await dialog.getByRole('button', { name: 'Save' }).click();
  const login = page.getByRole('dialog', { name: 'Admin Access' });
  await expect(login.getByText('Everything you typed is still here.')).toBeVisible();
  await expectAccessible(page, 'the login form over the product form');
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue(name);
  await logInAsAdmin(page);
  await expectToast(page, 'Added');
  await expect(login).toBeHidden();
  const row = await findRow(page, name);
  await deleteProduct((await row.getAttribute('data-product')) ?? '');
});

test('typed fields survive closing and a reload', async ({ page }) => {
  const name = newName();
  await openAdmin(page);
  let dialog = await openNewProduct(page);
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Price (₹)', { exact: true }).fill('Rs. 1,499/-');
  await page.keyboard.press('Escape');
  await expectToast(page, 'Draft kept');
  await page.reload();
  await page.getByRole('button', { name: `Continue with ${name}` }).click();
  dialog = page.getByRole('dialog', { name: 'Add Product' });
  await expect(dialog.getByLabel('Price (₹)', { exact: true })).toHaveValue('Rs. 1,499/-');
  await dialog.getByLabel('Category').selectOption(shopCategory(0).slug);
  await sizeField(dialog).fill('Adjustable');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added');
  await expect(page.getByRole('button', { name: `Continue with ${name}` })).toBeHidden();
  const row = await findRow(page, name);
  await expect(row.getByText('₹1,499.00')).toBeVisible();
  await deleteProduct((await row.getAttribute('data-product')) ?? '');
});
