import { randomUUID } from 'node:crypto';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';
import { insertRows } from '#tests/browser/support/running-shop.ts';
import { sell } from '#tests/browser/checkout/sale.ts';
import { openOrder } from '#tests/browser/admin/orders/admin-orders.ts';
import { expect, openMore, test } from '#tests/browser/admin/admin-page.ts';
import { shop as settings } from '#settings/shop.ts';

test('figures are read as bars, as a table and against the period before, and customers by what they bought', async ({
  page,
  browser,
}) => {
  const sale = await sell(browser);
  // A customer of fifteen years ago, in days that no other test sells in.
  const mark = `k${randomUUID().slice(0, 7)}`;
  const phone = `+91 9${String(Date.now()).slice(-9)}`;
  const order = (day: string, paise: number) => ({
    merchant_transaction_id: `${settings.orderPrefix}${randomUUID().slice(0, 20)}`,
    customer_name: `Meera ${mark}`,
    customer_phone: phone,
    created_at: `${day}T06:00:00Z`,
    paid_at: `${day}T06:00:00Z`,
    status: 'COMPLETED',
    payment_status: 'COMPLETED',
    fulfilment: 'delivered',
    total_paise: paise,
    items: [{ product_id: randomUUID(), name: `Kasu mala ${mark}`, quantity: 2, price: 100 }],
  });
  await insertRows('orders', [
    order('2011-03-02', 300_000),
    order('2011-03-20', 100_000),
    order('2011-02-10', 200_000),
  ]);
  await page.setViewportSize({ width: 360, height: 780 });
  await openMore(page);
  await page.getByRole('link', { name: 'Figures' }).click();
  await expect(page.getByRole('heading', { name: 'Figures' })).toBeFocused();
  await expect(page.getByText('Best sellers')).toBeVisible();
  await page.route('**/api/admin/figures?period=month', (route) =>
    route.continue({ url: `${route.request().url()}&day=2011-03-31` }),
  );
  await page.getByRole('button', { name: 'Week', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Later' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await page.getByRole('button', { name: 'Month', exact: true }).click();
  await expect(page.getByText('March 2011')).toBeVisible();
  await expect(page.getByText('100 % more than ₹2,000.00 before')).toBeVisible();
  await expect(page.getByText('Compared with February 2011.')).toBeVisible();
  await expect(
    page.getByRole('img', { name: /most on Wednesday, 2 March, ₹3,000.00/u }),
  ).toBeVisible();
  await page.getByText('Values as a table').click();
  await expect(page.getByRole('row', { name: 'Sunday, 20 March 1 ₹1,000.00' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: `Kasu mala ${mark}` })).toHaveCount(2);
  await expectAccessible(page, 'the figures with their table');
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Earlier' }).click();
  await expect(page.getByText('February 2011', { exact: true })).toBeVisible();

  await openMore(page);
  await page.getByRole('link', { name: 'Customers' }).click();
  const search = page.getByRole('searchbox', { name: /^Search customers/u });
  await search.fill(`kasu mala ${mark}`);
  await search.press('Enter');
  const meera = page.getByRole('link', { name: new RegExp(`Meera ${mark}`, 'u') });
  await expect(page.getByText('1 customer', { exact: true })).toBeVisible();
  await expect(meera).toContainText('₹6,000.00');
  await expect(meera).toContainText('3 orders, last 20 March 2011');
  await expectAccessible(page, 'the customers');
  await meera.click();
  await expect(page.locator('[data-order]')).toHaveCount(3);
  await page.goBack();
  await expect(search).toHaveValue(`kasu mala ${mark}`);
  await openOrder(page, sale);
  await page.getByRole('link', { name: 'first order' }).click();
  await expect(page.getByText('1 customer', { exact: true })).toBeVisible();
  await expect(
    page.getByRole('link', { name: new RegExp(`^${sale.customerName}`, 'u') }),
  ).toContainText('1 order, last');
  await sale.end();
});
