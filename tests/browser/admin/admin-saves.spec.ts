import type { Page } from '@playwright/test';
import { insertProduct } from '#tests/browser/catalogue/product-rows.ts';
import { sell } from '#tests/browser/checkout/sale.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { openOrder } from './orders/admin-orders.ts';
import { expect, findRow, openAdmin, openNewProduct, sizeField, test } from './admin-page.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';

const newName = () => `Thread ${crypto.randomUUID().slice(0, 8)}`;

const inSight = (page: Page, words: string) =>
  page.getByText(words).evaluate((notice) => {
    const { top, bottom, left, right } = notice.getBoundingClientRect();
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return (
      top >= 0 &&
      bottom <= window.innerHeight &&
      seen !== null &&
      (notice.contains(seen) || seen.contains(notice))
    );
  });

test('a failed save is reported beside its button, wherever the form is scrolled to', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/ERR_INTERNET_DISCONNECTED/u);
  await openAdmin(page);
  const dialog = await openNewProduct(page);
  await dialog.getByLabel('Name', { exact: true }).fill(newName());
  await dialog.getByLabel('Price (₹)', { exact: true }).fill('99');
  await dialog.getByLabel('Category').selectOption(shopCategory(0).slug);
  await sizeField(dialog).fill('Adjustable');
  await dialog.getByText('More details').scrollIntoViewIfNeeded();
  await context.setOffline(true);
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await expectToast(page, 'Failed to save product', 'Error');
  const words = 'You are offline. Nothing is lost; try again when the connection is back.';
  await expect(dialog.getByRole('alert').filter({ hasText: `Not saved. ${words}` })).toBeVisible();
  expect(await inSight(page, words)).toBe(true);
  await expectAccessible(page, 'a save that failed');
  await context.setOffline(false);
  await dialog.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
});

test('a response that was requested before a change does not overwrite the change', async ({
  page,
  browser,
}) => {
  const sale = await sell(browser);
  await openOrder(page, sale);
  const { promise: held, resolve: answer } = Promise.withResolvers<undefined>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<undefined>();
  await page.route(`**/api/admin/orders/${String(sale.id)}`, async (route) => {
    const before = await route.fetch();
    arrive(undefined);
    await held;
    await route.fulfill({ response: before });
  });
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
  await arrived;
  await page.getByRole('button', { name: 'Mark packed' }).press('Enter');
  const undo = page.getByRole('button', { name: 'Undo ‘Packed’' });
  await expect(undo).toBeVisible();
  answer(undefined);
  await expect(page.getByRole('region', { name: `Order ${String(sale.id)}` })).toHaveAttribute(
    'aria-busy',
    'false',
  );
  await page.unroute(`**/api/admin/orders/${String(sale.id)}`);
  await expect(undo).toBeVisible();
  await sale.end();
});

test('a saved product appears in the list at once, and editing it again finds no conflict', async ({
  page,
}) => {
  const product = await insertProduct({ name: newName(), stock: 7, price: 500 });
  await openAdmin(page);
  const row = await findRow(page, product.name);
  const { promise: held, resolve: answer } = Promise.withResolvers<undefined>();
  await page.route('**/api/admin/products?*', async (route) => {
    await held;
    await route.continue();
  });
  const dialog = page.getByRole('dialog', { name: 'Edit Product' });
  await row.getByRole('button', { name: `Edit ${product.name}` }).press('Enter');
  await dialog.getByLabel('Price (₹)', { exact: true }).fill('650');
  await dialog.getByLabel('Stock').fill('9');
  await dialog.getByLabel('Stock').press('Enter');
  await expect(dialog).toBeHidden();
  await expect(row.getByText('₹650.00')).toBeVisible();
  await row.getByRole('button', { name: `Edit ${product.name}` }).press('Enter');
  await expect(dialog.getByLabel('Stock')).toHaveValue('9');
  await dialog.getByLabel('Stock').fill('8');
  await dialog.getByLabel('Stock').press('Enter');
  await expect(dialog).toBeHidden();
  await expect(row.getByText('8 units')).toBeVisible();
  await row.getByRole('button', { name: `Delete ${product.name}` }).press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Delete', exact: true })
    .press('Enter');
  await expect(row).toBeHidden();
  answer(undefined);
  await expect(page.getByText('No products found')).toBeVisible();
});

test('leaving the list and coming back keeps search, filter and the row that was left', async ({
  page,
  newProduct,
}) => {
  // The product is the test's own and beyond the first page: another test may remove its products meanwhile.
  const { id, name } = await newProduct({ name: 'Thamara That Was Left' });
  await openAdmin(page);
  const sorted = page.waitForResponse((response) => response.url().includes('sort=name'));
  await page.getByLabel('Sort', { exact: true }).selectOption('name');
  await sorted;
  await expect(page.getByRole('table', { name: 'Products' })).toHaveAttribute('aria-busy', 'false');
  await page.getByRole('button', { name: 'Load more' }).click();
  const rows = page.locator('[data-product]');
  await expect.poll(() => rows.count()).toBeGreaterThan(24);
  const row = page.locator(`[data-product="${id}"]`);
  await row.getByRole('link', { name }).press('Enter');
  await page.waitForURL(/\/product\//u);
  await page.goBack();
  await expect(row).toBeInViewport();
  await expect(row.getByRole('link')).toBeFocused();
  await expect(page.getByLabel('Sort', { exact: true })).toHaveValue('name');
  await page.getByLabel('Search', { exact: true }).fill('ring');
  await expect(page).toHaveURL(/#\?q=ring&sort=name$/u);
  await page.getByRole('link', { name: /^Orders/u }).click();
  await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('Search', { exact: true })).toHaveValue('ring');
  await page.getByRole('link', { name: /^Products/u }).click();
  await expect(page.getByLabel('Search', { exact: true })).toHaveValue('');
});
