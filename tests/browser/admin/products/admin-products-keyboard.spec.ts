import type { Locator, Page } from '@playwright/test';
import { expect, findRow, openAdmin, sizeField, test } from '#tests/browser/admin/admin-page.ts';
import { deleteProduct } from '#tests/browser/catalogue/product-rows.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';

/** Goes on with the Tab key until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab');
    if (await control.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error('The control cannot be reached with the Tab key');
}

test('a product is added with the keyboard alone', { tag: '@desktop' }, async ({ page }) => {
  const name = `Keyboard ${crypto.randomUUID().slice(0, 8)}`;
  await openAdmin(page);
  const add = page.getByRole('button', { name: 'Add Product' });
  await tabTo(page, add);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add Product' });
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press('Tab');
  await page.keyboard.type('499.50');
  await tabTo(page, dialog.getByLabel('Category'));
  await page.keyboard.type(shopCategory(2).label.slice(0, 5).toLowerCase());
  await tabTo(page, dialog.getByLabel('Stock'));
  await page.keyboard.type('12');
  await tabTo(page, sizeField(dialog));
  await page.keyboard.type('Adjustable');
  await tabTo(page, dialog.getByText('More details'));
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByLabel('Metal', { exact: true }));
  await page.keyboard.type('Brass');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Added');
  await expect(dialog).toBeHidden();
  await expect(add).toBeFocused();
  const row = await findRow(page, name);
  await expect(row.getByText('₹499.50')).toBeVisible();
  await expect(row.getByText('12 units')).toHaveClass(/badge-green/u);
  await expect(row.getByRole('cell', { name: shopCategory(2).label })).toBeVisible();
  await deleteProduct((await row.getAttribute('data-product')) ?? '');
});

test(
  'a link to a section moves the focus to its heading and is marked as current',
  { tag: '@desktop' },
  async ({ page }) => {
    await openAdmin(page);
    for (const [link, hash] of [
      ['Today', '#today'],
      ['Orders', '#orders'],
      ['More', '#more'],
      ['Products', ''],
    ] as const) {
      await page
        .getByRole('navigation', { name: 'Admin' })
        .getByRole('link', { name: link })
        .click();
      await expect(page.locator('main h2:focus')).toBeVisible();
      await expect(
        page.getByRole('link', { name: link }).and(page.locator('.admin-section')),
      ).toHaveAttribute('aria-current', 'page');
      expect(new URL(page.url()).hash).toBe(hash);
    }
  },
);
