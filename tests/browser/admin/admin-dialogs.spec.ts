import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { sell } from '../checkout/sale.ts';
import { expectButtonsFit } from '../support/dialog-fit.ts';
import { openOrder } from './orders/admin-orders.ts';
import { expect, findRow, openAdmin, openMore, openNewProduct, test } from './admin-page.ts';

/** Opens a dialog, checks its buttons and closes it again. */
async function check(page: Page, name: RegExp | string, open: () => Promise<void>): Promise<void> {
  await open();
  const dialog = page.getByRole('dialog', { name });
  await expectButtonsFit(page, dialog);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

const press = (page: Page, name: RegExp | string) => async () =>
  page.getByRole('button', { name }).first().click();

test('every button of the catalogue’s dialogs fits on a phone, also above a keyboard', async ({
  page,
  newProduct,
}) => {
  test.slow();
  const { name } = await newProduct({ name: `Mala ${randomUUID().slice(0, 8)}` });
  await openAdmin(page);

  const add = await openNewProduct(page);
  await add.getByLabel('Name', { exact: true }).fill('Half a name');
  await expectButtonsFit(page, add);
  await add.getByRole('button', { name: /^Discard/u }).click();
  const discard = page.getByRole('dialog').last();
  await expectButtonsFit(page, discard);
  await discard.getByRole('button').last().click();

  await openMore(page);
  await check(page, 'Products in a spreadsheet', async () => {
    await press(page, 'Import, export')();
    const file = page.getByRole('dialog', { name: 'Products in a spreadsheet' });
    await file.getByLabel('Choose CSV file').setInputFiles({
      name: 'new.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Name,Category,Price,Stock\nPalakka Mala,necklaces,1499,3\n'),
    });
    await expect(file.getByRole('button', { name: 'Add 1', exact: true })).toBeVisible();
  });
  await openAdmin(page);
  await findRow(page, name);
  await check(page, `Delete ${name}?`, press(page, `Delete ${name}`));
  await check(page, 'Edit Product', press(page, `Edit ${name}`));
  await press(page, 'Select')();
  await press(page, /^Select all/u)();
  await check(page, /^Price/u, press(page, 'Price…'));
  await check(page, /^Category/u, press(page, 'Category…'));
  await check(page, /^Delete 1/u, press(page, 'Delete…'));
  await press(page, 'Done')();
});

test('every button of an order’s dialogs fits on a phone, also above a keyboard', async ({
  page,
  browser,
}) => {
  test.slow();
  const sale = await sell(browser);
  await openOrder(page, sale);
  await page.getByRole('button', { name: 'Mark packed' }).click();
  await expect(page.getByRole('button', { name: 'Undo ‘Packed’' })).toBeVisible();
  // The message of that step comes along into the dialogs.
  await check(page, /^Ship order/u, press(page, 'Mark shipped'));
  await check(page, /^Undo/u, press(page, 'Undo ‘Packed’'));
  await check(page, /^Refund order/u, press(page, 'Refund'));
  await check(page, /^Cancel order/u, press(page, 'Cancel order'));
  await check(page, /details/iu, press(page, 'Correct details'));
  await sale.end();
});
