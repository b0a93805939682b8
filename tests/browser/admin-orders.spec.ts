import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { waitForMail } from './mailbox.ts';
import { expect, test } from './owner.ts';
import { readPiece } from './product-rows.ts';
import { orderOfBuyer, refundsOf, sell, type Sale } from './sale.ts';
import { expectToast } from './toasts.ts';

async function findOrder(page: Page, { id, buyerName }: Sale): Promise<void> {
  await page.goto('/admin#orders');
  await page.getByLabel('Search orders').fill(buyerName);
  const row = page.locator(`[data-order="${String(id)}"]`);
  await expect(row).toBeVisible();
  await expect(page.locator('[data-order]')).toHaveCount(1);
}

async function openOrder(page: Page, sale: Sale): Promise<void> {
  await page.goto(`/admin#orders/${String(sale.id)}`);
  await expect(page.getByRole('heading', { name: 'Deliver to' })).toBeVisible();
}

async function popupText(page: Page, link: string): Promise<string> {
  const popup = page.waitForEvent('popup');
  await page.getByRole('link', { name: link }).click();
  const paper = await popup;
  await expect(paper.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(paper, link);
  const text = await paper.locator('main').innerText();
  await paper.close();
  return text;
}

test('an order is packed, shipped and partly refunded; buyer, provider, papers and accountant all see it', async ({
  page,
  browser,
}) => {
  const sale = await sell(browser);
  const order = String(sale.id);
  await findOrder(page, sale);
  await expectAccessible(page, 'the list of orders');
  const row = page.locator(`[data-order="${order}"]`);
  await expect(row).toContainText('₹2,047.20');
  await expect(row).toContainText('Paid');
  await row.click();
  await expect(page.getByRole('heading', { name: `Order ${order}` })).toBeFocused();
  await expect(page.getByText('Please wrap as a gift')).toBeVisible();
  await expect(page.locator('address')).toHaveText(
    `${sale.buyerName}\n14 Temple Road, Vadakkumnathan West\nThrissur 680001\nKerala\nPhone +91 98470 12345`,
  );
  await expect(page.getByRole('link', { name: /^Call/u })).toHaveAttribute('href', 'tel:+919847012345');
  await expectAccessible(page, 'an order');

  await page.getByRole('button', { name: 'Mark packed' }).click();
  await expectToast(page, `Order ${order} is packed`);
  await page.getByRole('button', { name: 'Mark shipped' }).click();
  const ship = page.getByRole('dialog', { name: `Ship order ${order}` });
  await ship.getByLabel('Carrier', { exact: true }).fill('');
  await ship.getByRole('button', { name: 'Mark shipped' }).click();
  await expect(ship.getByLabel('Carrier', { exact: true })).toBeFocused();
  await expect(ship.getByText('Tracking number must be 3 to 60 characters')).toBeVisible();
  await expectAccessible(page, 'the shipping dialog with errors');
  await ship.getByRole('button', { name: 'DTDC' }).click();
  await ship.getByLabel('Tracking number').fill('D77001234');
  await ship.getByLabel('Tracking link (optional)').fill('https://dtdc.example/D77001234');
  await ship.getByRole('button', { name: 'Mark shipped' }).click();
  await expectToast(page, `Order ${order} is shipped`);
  await expect(ship).toBeHidden();
  const shipped = await waitForMail(sale.email, /ship|on its way/iu);
  expect(shipped.text).toContain('D77001234');
  const seen = await orderOfBuyer(sale);
  await expect(seen).toContainText('Shipped with DTDC, tracking D77001234');
  await expect(seen.getByRole('link', { name: /Follow the parcel/u })).toHaveAttribute('href', 'https://dtdc.example/D77001234');

  await page.getByRole('button', { name: 'Refund' }).click();
  const refund = page.getByRole('dialog', { name: `Refund order ${order}` });
  await refund.getByRole('button', { name: `More: Pieces of ${sale.ring.name}` }).click();
  await expect(refund.getByLabel('Amount in rupees')).toHaveValue('511.80');
  await refund.getByRole('checkbox', { name: 'Put back into stock' }).check();
  await refund.getByRole('button', { name: 'Refund ₹511.80…' }).click();
  await expect(refund.getByLabel('Reason', { exact: true })).toBeFocused();
  await expectAccessible(page, 'the refund dialog with an error');
  await refund.getByLabel('Reason', { exact: true }).fill('One ring came bent');
  await refund.getByRole('button', { name: 'Refund ₹511.80…' }).click();
  await expect(refund.getByText('1 piece comes back into stock.')).toBeVisible();
  await expectAccessible(page, 'the question before a refund');
  await refund.getByRole('button', { name: 'Yes, refund ₹511.80' }).click();
  await expectToast(page, '₹511.80 is on its way back');
  await expect.poll(() => refundsOf(page, sale.paymentId)).toEqual([51_180]);
  expect((await waitForMail(sale.email, /refund/iu)).text).toContain('₹511.80');
  expect((await readPiece(sale.ring.id)).stock).toBe(8);

  const invoice = await popupText(page, 'Invoice');
  expect(invoice).toContain('₹2,047.20');
  expect(invoice).toContain('Kept after refunds: ₹1,535.40');
  const slip = await popupText(page, 'Packing slip');
  expect(slip).toContain(sale.chain.name);
  expect(slip).not.toContain('₹');

  const mine = await orderOfBuyer(sale);
  await expect(mine).toContainText(/refunded/iu);
  const popup = sale.buyer.waitForEvent('popup');
  await mine.getByRole('button', { name: /^Invoice KSV/u }).click();
  const own = await popup;
  await expect(own.getByRole('heading', { level: 1 })).toHaveText('Tax invoice');
  await expect(own.getByText('₹2,047.20').first()).toBeVisible();
  // Its own style applies: the shop's pages would refuse it.
  expect(await own.locator('main').evaluate((main) => getComputedStyle(main).backgroundColor)).toBe('rgb(255, 255, 255)');

  await page.getByRole('link', { name: 'All orders' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const csv = readFileSync(await (await download).path(), 'utf8');
  const line = csv.split('\n').find((text) => text.includes(sale.buyerName));
  expect(line).toContain('2047.20');
  expect(line).toContain('511.80');
  await sale.end();
});

test('a refund whose answer is lost keeps what was typed, and pressed again it is still one refund', async ({
  page,
  browser,
  expectProblem,
}) => {
  expectProblem(/ERR_FAILED|failed/u);
  const sale = await sell(browser);
  await openOrder(page, sale);
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog', { name: /^Refund order/u });
  await dialog.getByRole('button', { name: 'The whole order' }).click();
  await dialog.getByLabel('Amount in rupees').fill('₹1,000');
  await dialog.getByLabel('Reason', { exact: true }).fill('A present for waiting');
  await dialog.getByRole('button', { name: 'Refund ₹1,000.00…' }).click();
  await page.route('**/refund', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Yes, refund ₹1,000.00' }).click();
  await expect(dialog.getByText('You are offline.').first()).toBeVisible();
  await page.unroute('**/refund');
  // Closed and opened again it is the same refund.
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Refund' }).click();
  await dialog.getByRole('button', { name: 'Yes, refund ₹1,000.00' }).click();
  await expectToast(page, '₹1,000.00 is on its way back');
  await expect(dialog).toBeHidden();
  await expect.poll(() => refundsOf(page, sale.paymentId)).toEqual([100_000]);
  await expect(page.getByText('-₹1,000.00')).toBeVisible();
  await sale.end();
});

test('a cancelled order sends all money and all pieces back, and its buyer sees it', async ({ page, browser }) => {
  const sale = await sell(browser);
  await openOrder(page, sale);
  expect((await readPiece(sale.ring.id)).stock).toBe(7);
  await page.getByRole('button', { name: 'Cancel order' }).click();
  const dialog = page.getByRole('dialog', { name: `Cancel order ${String(sale.id)}?` });
  await dialog.getByRole('button', { name: 'Yes, cancel and refund ₹2,047.20' }).click();
  await expect(dialog.getByText('Say why, in at most 200 characters')).toBeVisible();
  await expectAccessible(page, 'the cancel dialog with an error');
  await dialog.getByLabel('Reason').fill('The mould broke');
  await dialog.getByRole('button', { name: 'Yes, cancel and refund ₹2,047.20' }).click();
  await expectToast(page, `Order ${String(sale.id)} is cancelled`);
  await expect(page.getByText('Nothing is to be sent.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark packed' })).toHaveCount(0);
  await expect.poll(() => refundsOf(page, sale.paymentId)).toEqual([204_720]);
  expect((await readPiece(sale.ring.id)).stock).toBe(9);
  await expect(await orderOfBuyer(sale)).toContainText('Cancelled on');
  await sale.end();
});

test('by keyboard alone an order is found, packed, put back and left where it was found', async ({ page, browser }) => {
  const sale = await sell(browser);
  await findOrder(page, sale);
  const row = page.locator(`[data-order="${String(sale.id)}"]`);
  await row.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: `Order ${String(sale.id)}` })).toBeFocused();
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
  await expect(page.getByLabel('Search orders')).toHaveValue(sale.buyerName);
  await page.getByRole('button', { name: /^Delivered/u }).press('Enter');
  await expect(page.getByText(`Nothing found for ‘${sale.buyerName}’ under ‘Delivered’.`)).toBeVisible();
  await page.getByRole('button', { name: 'Show all orders' }).press('Enter');
  await expect(page.getByLabel('Search orders')).toHaveValue('');
  await sale.end();
});

test('an order that does not exist, and a list that cannot be read, say so and can be tried again', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/404|500/u);
  await page.goto('/admin#orders/999999999');
  await expect(page.getByText('Order 999999999 cannot be read')).toBeVisible();
  await page.route('**/api/admin/orders?*', (route) => route.fulfill({ status: 500, body: 'broken' }));
  await page.getByRole('link', { name: 'All orders' }).click();
  await page.reload();
  await expect(page.getByText('The orders cannot be read')).toBeVisible();
  await page.unroute('**/api/admin/orders?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('The orders cannot be read')).toBeHidden();
});
