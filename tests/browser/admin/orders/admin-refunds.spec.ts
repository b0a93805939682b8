import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { waitForMail } from '#tests/browser/account/mailbox.ts';
import { openOrder, popupText } from './admin-orders.ts';
import { expect, test } from '#tests/browser/admin/admin-page.ts';
import { readProduct } from '#tests/browser/catalogue/product-rows.ts';
import { orderOfCustomer, refundsOf, sell } from '#tests/browser/checkout/sale.ts';
import { totalOf, totalText } from '#tests/browser/support/amounts.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { formatRupees, rupeesFromPaise } from '#domain/money.ts';
import { supabaseAs } from '#tests/browser/support/running-shop.ts';
import { shop as settings } from '#settings/shop.ts';
import { taxStanding } from '#domain/tax-standing.ts';

/** What the order of `sell` costs, and one of its two rings with its share of the fee. */
const [order, oneRing] = [200_000, 50_000];
const [orderText, ringText] = [totalText(order), totalText(oneRing)];

test('a part is refunded after a question, by money and by product; its customer is notified, and documents, account and accountant’s file show it', async ({
  page,
  browser,
}) => {
  // The specification's own amounts, in a shop with its fee.
  if (settings.platformFeeBps === 236)
    expect([orderText, ringText]).toEqual(['₹2,047.20', '₹511.80']);
  const sale = await sell(browser);
  await openOrder(page, sale);
  await page.getByRole('button', { name: 'Refund' }).click();
  const refund = page.getByRole('dialog', { name: `Refund order ${String(sale.id)}` });
  await refund.getByRole('button', { name: `More: Pieces of ${sale.ring.name}` }).click();
  await expect(refund.getByLabel('Amount in rupees')).toHaveValue(
    rupeesFromPaise(totalOf(oneRing)).toFixed(2),
  );
  await refund.getByRole('checkbox', { name: 'Put back into stock' }).check();
  await refund.getByRole('button', { name: `Refund ${ringText}…` }).click();
  await expect(refund.getByLabel('Reason', { exact: true })).toBeFocused();
  await expectAccessible(page, 'the refund dialog with an error');
  await refund.getByLabel('Reason', { exact: true }).fill('One ring came bent');
  await refund.getByRole('button', { name: `Refund ${ringText}…` }).click();
  await expect(refund.getByText('1 piece comes back into stock.')).toBeVisible();
  await expectAccessible(page, 'the question before a refund');
  await refund.getByRole('button', { name: `Yes, refund ${ringText}` }).click();
  await expectToast(page, `${ringText} is on its way back`);
  await expect.poll(() => refundsOf(page, sale.paymentId)).toEqual([totalOf(oneRing)]);
  const mail = await waitForMail(sale.email, /refund/iu);
  expect(mail.text).toContain(ringText);
  expect(mail.text).toContain(`For: ${sale.ring.name}`);
  expect((await readProduct(sale.ring.id)).stock).toBe(8);

  const invoice = await popupText(page, 'Invoice', { accessible: true });
  expect(invoice).toContain(orderText);
  expect(invoice).toContain(
    `Kept after refunds: ${formatRupees(totalOf(order) - totalOf(oneRing))}`,
  );
  expect(invoice).toContain(`Credit note: ${settings.prefixes.creditNote}/`);

  const mine = await orderOfCustomer(sale);
  await expect(mine).toContainText(/refunded/iu);
  const popup = mine.page().waitForEvent('popup');
  await mine
    .getByRole('button', { name: new RegExp(`^Invoice ${settings.prefixes.invoice}`, 'u') })
    .click();
  const own = await popup;
  await expect(own.getByRole('heading', { level: 1 })).toHaveText(
    taxStanding().collectsTax ? 'Tax invoice' : 'Bill of supply',
  );
  await expect(own.getByText(orderText).first()).toBeVisible();
  // Its own style applies: the shop's pages would refuse it.
  expect(await own.locator('main').evaluate((main) => getComputedStyle(main).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  );

  await page.getByRole('link', { name: 'All orders' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: /credit notes/u }).click();
  const csv = readFileSync(await (await download).path(), 'utf8');
  const credited = csv
    .split('\n')
    .filter((text) => text.startsWith('Credit note,') && text.includes(sale.customerName));
  expect(credited[0]).toMatch(new RegExp(`${sale.ring.name},\\d{4,8},-1,`, 'u'));
  expect(
    credited.reduce((sum, text) => sum + Number(text.trim().split(',').at(-3)), 0),
  ).toBeCloseTo(-rupeesFromPaise(totalOf(oneRing)), 2);
  if (taxStanding().collectsTax) {
    const zip = page.waitForEvent('download');
    await page.getByRole('link', { name: 'GSTR-1' }).click();
    const files = unzipSync(readFileSync(await (await zip).path()));
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['docs.csv', 'gstr1.json']));
  }
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
  await expect(page.getByText('−₹1,000.00')).toBeVisible();
  await sale.end();
});

test('a cancelled order sends all money and all products back, and its customer sees it', async ({
  page,
  browser,
}) => {
  const sale = await sell(browser);
  await openOrder(page, sale);
  expect((await readProduct(sale.ring.id)).stock).toBe(7);
  await page.getByRole('button', { name: 'Cancel order' }).click();
  const dialog = page.getByRole('dialog', { name: `Cancel order ${String(sale.id)}?` });
  await dialog.getByRole('button', { name: `Yes, cancel and refund ${orderText}` }).click();
  await expect(dialog.getByText('Say why, in at most 200 characters')).toBeVisible();
  await expectAccessible(page, 'the cancel dialog with an error');
  await dialog.getByLabel('Reason').fill('The mould broke');
  await dialog.getByRole('button', { name: `Yes, cancel and refund ${orderText}` }).click();
  await expectToast(page, `Order ${String(sale.id)} is cancelled`);
  await expect(page.getByText('Nothing is to be sent.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark packed' })).toHaveCount(0);
  await expect.poll(() => refundsOf(page, sale.paymentId)).toEqual([totalOf(order)]);
  expect((await readProduct(sale.ring.id)).stock).toBe(9);
  await expect(await orderOfCustomer(sale)).toContainText('Cancelled on');
  await sale.end();
});

test('what a bank gave back stands in the order, is not sent again, and is credited', async ({
  page,
  browser,
}) => {
  const sale = await sell(browser);
  await openOrder(page, sale);
  await popupText(page, 'Invoice');
  const { error } = await supabaseAs('shop').rpc('record_dispute', {
    p_payment_id: sale.paymentId,
    p_dispute_id: `disp_${sale.paymentId}`,
    p_event: 'lost',
    p_amount_paise: totalOf(order),
  });
  expect(error).toBeNull();
  await page.reload();
  await expect(page.locator('dl > div', { hasText: 'Given back by the bank' })).toContainText(
    `−${orderText}`,
  );
  await page.getByRole('button', { name: 'Cancel order' }).click();
  const dialog = page.getByRole('dialog', { name: `Cancel order ${String(sale.id)}?` });
  await expect(dialog).toContainText(`Nothing goes back to ${sale.customerName}`);
  await dialog.getByLabel('Reason').fill('The bank gave it back');
  await dialog.getByRole('button', { name: 'Yes, cancel it' }).click();
  await expectToast(page, `Order ${String(sale.id)} is cancelled`);
  expect(await refundsOf(page, sale.paymentId)).toEqual([]);
  expect(await popupText(page, 'Invoice')).toContain('Cancelled, and returned by the buyer’s bank');
  await sale.end();
});
