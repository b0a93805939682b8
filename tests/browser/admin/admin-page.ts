import type { Locator, Page } from '@playwright/test';
import { adminStateFile, runningShop } from '#tests/browser/support/running-shop.ts';
import { expect, test as shopTest } from '#tests/browser/support/shop.ts';

/** Types the admin's password into the login form that is on screen. */
export async function logInAsAdmin(
  page: Page,
  password = runningShop().adminPassword,
): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Password', { exact: true }).press('Enter');
}

/** A test whose browser has the admin logged in. */
export const test = shopTest.extend({
  storageState: async ({ browserName: _any }, use) => {
    await use(adminStateFile());
  },
});

/** Opens the admin page, with its list read. */
export async function openAdmin(page: Page): Promise<void> {
  await page.goto('/admin');
  await expect(page.getByRole('table', { name: 'Products' })).toBeVisible();
}

/** Opens what is needed less than every day. */
export async function openMore(page: Page): Promise<void> {
  await page.goto('/admin#more');
  await expect(page.getByRole('heading', { name: 'More', exact: true })).toBeVisible();
}

/** Opens the form of a new product. */
export async function openNewProduct(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add Product' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Product' });
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused();
  return dialog;
}

/** The row of a product, found by searching for its name. */
export async function findRow(page: Page, name: string): Promise<Locator> {
  await page.getByLabel('Search', { exact: true }).fill(name);
  const rows = page.getByRole('table', { name: 'Products' }).locator('tbody').getByRole('row');
  const row = rows.filter({ hasText: name });
  await expect(row).toBeVisible();
  // A row may be in the list before the search is answered: the answer then moves it away from under a press.
  await expect(rows.filter({ hasNotText: name })).toHaveCount(0);
  return row;
}

export { expect };

/** The field of a product's size in one sentence, which the form asks for in categories that are worn by size. */
export const sizeField = (form: Locator): Locator =>
  form.getByLabel(/^(?:Which size is it|Size in one sentence)/u);
