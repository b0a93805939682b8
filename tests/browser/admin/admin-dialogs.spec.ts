import { randomUUID } from 'node:crypto';
import { sell } from '#tests/browser/checkout/sale.ts';
import { expectButtonsFit, openAndCheck, press } from '#tests/browser/support/dialog-fit.ts';
import { openOrder } from './orders/admin-orders.ts';
import { expect, findRow, openAdmin, openNewProduct, test } from './admin-page.ts';

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

  await openAdmin(page);
  await findRow(page, name);
  await openAndCheck(page, `Delete ${name}?`, press(page, `Delete ${name}`));
  await openAndCheck(page, 'Edit Product', press(page, `Edit ${name}`));
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
  await openAndCheck(page, /^Ship order/u, press(page, 'Mark shipped'));
  await openAndCheck(page, /^Undo/u, press(page, 'Undo ‘Packed’'));
  await openAndCheck(page, /^Refund order/u, press(page, 'Refund'));
  await openAndCheck(page, /^Cancel order/u, press(page, 'Cancel order'));
  await openAndCheck(page, /details/iu, press(page, 'Correct details'));
  await sale.end();
});
