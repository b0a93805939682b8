import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from '@playwright/test';
import { expect, runningShop, test as shopTest } from './shop.ts';

/** Gives the owner's password at the gate that is on screen. */
export async function passGate(page: Page, password = runningShop().adminPassword): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Password', { exact: true }).press('Enter');
}

/** Wrong tries are counted for everybody together, so all tests of a stack share one log-in, kept in its data folder. */
async function ownerState(browser: Browser): Promise<string> {
  const file = join(process.env['SHOP_DATA_DIR'] ?? '.local', 'owner-state.json');
  const context = await browser.newContext({ baseURL: runningShop().url, ...(existsSync(file) ? { storageState: file } : {}) });
  const page = await context.newPage();
  await page.goto('/admin');
  const alive = await page.evaluate(async () => (await fetch('/api/admin/session')).ok);
  if (!alive) {
    await page.evaluate(() => {
      localStorage.clear();
    });
    await page.reload();
    await passGate(page);
    await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible({ timeout: 30_000 });
    const made = `${file}.${String(process.pid)}`;
    writeFileSync(made, JSON.stringify(await context.storageState()));
    renameSync(made, file);
  }
  await context.close();
  return file;
}

/** A test whose browser has the owner logged in. */
export const test = shopTest.extend<object, { ownerState: string }>({
  ownerState: [
    async ({ browser }, use) => {
      await use(await ownerState(browser));
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  storageState: async ({ ownerState: file }, use) => {
    await use(file);
  },
});

/** Opens the owner's page, with its list read. */
export async function openAdmin(page: Page): Promise<void> {
  await page.goto('/admin');
  await expect(page.getByRole('table', { name: 'Products' })).toBeVisible({ timeout: 30_000 });
}

/** Opens the form of a new piece. */
export async function openNewProduct(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add Product' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Product' });
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused();
  return dialog;
}

/** The row of a piece, found by searching for its name. */
export async function findRow(page: Page, name: string): Promise<Locator> {
  await page.getByLabel('Search', { exact: true }).fill(name);
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toBeVisible();
  return row;
}

export { expect };
