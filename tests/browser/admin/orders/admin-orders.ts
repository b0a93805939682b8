import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import type { Sale } from '#tests/browser/checkout/sale.ts';
import { expect } from '#tests/browser/support/shop.ts';

/** Finds an order in the admin's list by its customer's name. */
export async function findOrder(page: Page, { id, customerName }: Sale): Promise<void> {
  await page.goto('/admin#orders');
  // While there is one order alone, the list shows it before the search has even been sent.
  const answered = page.waitForResponse((response) => {
    const { pathname, searchParams } = new URL(response.url());
    return pathname === '/api/admin/orders' && searchParams.get('q') === customerName;
  });
  await page.getByLabel('Search orders').fill(customerName);
  await answered;
  const row = page.locator(`[data-order="${String(id)}"]`);
  await expect(row).toBeVisible();
  await expect(page.locator('[data-order]')).toHaveCount(1);
}

/** Opens an order of the owner's by its address. */
export async function openOrder(page: Page, sale: Sale): Promise<void> {
  await page.goto(`/admin#orders/${String(sale.id)}`);
  await expect(page.getByRole('heading', { name: 'Deliver to' })).toBeVisible();
}

/** The text of a document of the open order, which opens in a tab of its own. Optionally checks that it is accessible. */
export async function popupText(
  page: Page,
  name: string,
  { accessible = false } = {},
): Promise<string> {
  const popup = page.waitForEvent('popup');
  // An invoice is issued by a button; what is only shown is a link.
  const label = new RegExp(`^${name}.*opens in a new tab`, 'u');
  const link = page.getByRole('link', { name: label });
  await link.or(page.getByRole('button', { name: label })).click();
  const opened = await popup;
  await expect(opened.getByRole('heading', { level: 1 })).toBeVisible();
  if (accessible) await expectAccessible(opened, name);
  const text = await opened.locator('main').innerText();
  await opened.close();
  return text;
}
