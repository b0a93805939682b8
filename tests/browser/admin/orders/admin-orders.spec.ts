import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { waitForMail } from '#tests/browser/account/mailbox.ts';
import { findOrder, openOrder, popupText } from './admin-orders.ts';
import { expect, test } from '#tests/browser/admin/admin-page.ts';
import { orderOfCustomer, sell } from '#tests/browser/checkout/sale.ts';
import { totalText } from '#tests/browser/support/amounts.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import {
  otherPin,
  otherState,
  pin,
  sendsToOtherStates,
  state,
} from '#tests/browser/support/destination.ts';

test('by keyboard alone an order is found by its customer’s name, shows what to send where, is packed, put back and left where it was found', async ({
  page,
  browser,
}) => {
  const sale = await sell(browser);
  const order = String(sale.id);
  await findOrder(page, sale);
  await expectAccessible(page, 'the list of orders');
  const row = page.locator(`[data-order="${order}"]`);
  await expect(row).toContainText(totalText(200_000));
  await expect(row).toContainText('Paid');
  await row.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: `Order ${order}` })).toBeFocused();
  await expect(page.getByText('Please wrap as a gift')).toBeVisible();
  await expect(page.locator('address')).toHaveText(
    `${sale.customerName}\n14 Temple Road, Vadakkumnathan West\nThrissur ${pin}\n${state.name}\nPhone +91 98470 12345`,
  );
  await expect(page.getByRole('link', { name: /^Call/u })).toHaveAttribute(
    'href',
    'tel:+919847012345',
  );
  await page.getByRole('button', { name: 'Mark packed' }).focus();
  await page.keyboard.press('Enter');
  const undo = page.getByRole('button', { name: 'Undo ‘Packed’' });
  await expect(undo).toBeVisible();
  await undo.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Undo ‘Packed’?' });
  await expectAccessible(page, 'the question before a step back');
  await dialog.getByRole('button', { name: 'Yes, back to ‘To pack’' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Mark packed' })).toBeVisible();
  await page.getByRole('link', { name: 'All orders' }).press('Enter');
  await expect(row).toBeFocused();
  await expect(page.getByLabel('Search orders')).toHaveValue(sale.customerName);
  await page.getByRole('button', { name: /^Delivered/u }).press('Enter');
  await expect(
    page.getByText(`Nothing found for ‘${sale.customerName}’ under ‘Delivered’.`),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Show all orders' }).press('Enter');
  await expect(page.getByLabel('Search orders')).toHaveValue('');
  await sale.end();
});

test('details are corrected and a note is stored, with history; then the order is packed and shipped, and the customer is notified by mail and in the account', async ({
  page,
  browser,
}) => {
  const sale = await sell(browser);
  const order = String(sale.id);
  await openOrder(page, sale);
  await page.getByRole('button', { name: 'Correct details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Correct the details' });
  await dialog.getByLabel('City').fill('K');
  await dialog.getByLabel('Postal Code').fill(otherPin);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByLabel('City')).toBeFocused();
  await expect(dialog.getByText('City must be at least 2 characters')).toBeVisible();
  await expectAccessible(page, 'the dialog of an order’s details');
  await dialog.getByLabel('City').fill('Bengaluru');
  await dialog.getByLabel('Postal Code').fill('56000');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(
    dialog.getByText(sendsToOtherStates ? 'Send it to 56000 all the same?' : 'We send within'),
  ).toBeInViewport();
  await dialog.getByLabel('Postal Code').fill(otherPin);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(otherState.name).first()).toBeVisible();
  await page.getByRole('button', { name: 'Add a note' }).click();
  const note = page.getByRole('dialog', { name: 'Your note' });
  await note.getByLabel('Note').fill('Calls on Monday');
  await note.getByRole('button', { name: 'Save' }).click();
  await expect(note).toBeHidden();
  const history = page.getByRole('region', { name: 'History' });
  await expect(history.getByText('City corrected')).toBeVisible();
  await expect(history.getByText(`${pin} → ${otherPin}`)).toBeVisible();
  await expect(page.getByText('Calls on Monday').first()).toBeVisible();
  expect(await popupText(page, 'Invoice')).toContain(`${otherState.name} (${otherState.gstCode})`);

  await page.getByRole('button', { name: 'Mark packed' }).click();
  await expectToast(page, `Order ${order} is packed`);
  await page.getByRole('button', { name: 'Mark shipped' }).click();
  const ship = page.getByRole('dialog', { name: `Ship order ${order}` });
  await ship.getByLabel('Carrier', { exact: true }).fill('');
  await ship.getByRole('button', { name: 'Mark shipped' }).click();
  await expect(ship.getByLabel('Carrier', { exact: true })).toBeFocused();
  await expect(ship.getByText('Carrier must be 2 to 80 characters')).toBeVisible();
  await expectAccessible(page, 'the shipping dialog with errors');
  await ship.getByRole('button', { name: 'DTDC' }).click();
  await ship.getByLabel('Tracking number').fill('D77001234');
  await ship.getByLabel('Tracking link (optional)').fill('https://dtdc.example/D77001234');
  await ship.getByRole('button', { name: 'Mark shipped' }).click();
  await expectToast(page, `Order ${order} is shipped`);
  await expect(ship).toBeHidden();
  await expect(page.getByRole('button', { name: 'Send invoice by mail' })).toBeVisible();
  await expectAccessible(page, 'an order with an invoice');
  await page.getByRole('button', { name: 'Withdraw mailed links' }).click();
  await expectAccessible(page, 'the question before the links end');
  await page.getByRole('button', { name: 'Leave them' }).click();
  const shipped = await waitForMail(sale.email, /ship|on its way/iu);
  expect(shipped.text).toContain('D77001234');
  const details = await orderOfCustomer(sale);
  await expect(details).toContainText('Shipped with DTDC, tracking D77001234');
  await expect(details.getByRole('link', { name: /Follow the parcel/u })).toHaveAttribute(
    'href',
    'https://dtdc.example/D77001234',
  );
  await sale.end();
});
