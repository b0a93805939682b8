import type { Page } from '@playwright/test';
import * as z from 'zod';
import { indiaCalendarDay, isoDay } from '#domain/calendar-day.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { expect, test } from './admin-page.ts';
import { runningShop, stackSecrets } from '#tests/browser/support/running-shop.ts';
import { createCustomer } from '#tests/browser/account/customers.ts';
import {
  deleteProduct,
  insertProduct,
  readProduct,
} from '#tests/browser/catalogue/product-rows.ts';
import { placeOrder, refundsOf } from '#tests/browser/checkout/sale.ts';
import { shop as settings } from '#settings/shop.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';

const nothing = { count: 0 } as const;
const quiet = {
  toPack: { ...nothing, orders: [] },
  toShip: { ...nothing, orders: [] },
  toAnswer: { ...nothing, messages: [] },
  low: { ...nothing, products: [] },
  soldOut: { ...nothing, products: [] },
  money: { ...nothing, items: [] },
  claims: { ...nothing, claims: [] },
  holds: { ...nothing, orders: [] },
  unsentMails: 0,
  mailsStuckSince: null,
  notice: null,
  sales: { todayOrders: 0, todayPaise: 0, monthOrders: 3, monthPaise: 614_160 },
};

async function openToday(page: Page): Promise<void> {
  await page.goto('/admin#today');
  await expect(
    page
      .getByRole('region', { name: 'Today' })
      .getByText(/to pack|to answer|low in stock|sold out|to check|All clear/u)
      .first(),
  ).toBeVisible();
}

/** A payment that the provider took for no order of this shop. */
async function payForNothing(page: Page): Promise<string> {
  const { razorpayKeyId, razorpayKeySecret } = stackSecrets();
  const authorization = `Basic ${btoa(`${razorpayKeyId}:${razorpayKeySecret}`)}`;
  const made = await page.request.post(`${runningShop().payments}/v1/orders`, {
    headers: { authorization },
    data: {
      amount: 123_400,
      currency: 'INR',
      receipt: `${settings.orderPrefix}9-${crypto.randomUUID().slice(0, 6)}`,
    },
  });
  const { id } = z.object({ id: z.string() }).parse(await made.json());
  const paid = await page.request.post(`${runningShop().payments}/orders/${id}/pay`, { data: {} });
  return z.object({ razorpay_payment_id: z.string() }).parse(await paid.json()).razorpay_payment_id;
}

test('tiles lead to where the hand is needed', async ({ page }) => {
  await openToday(page);
  await expectAccessible(page, 'today');
  await page.locator('.today-tile').filter({ hasText: 'sold out' }).click();
  await expect(page.getByLabel('Stock', { exact: true })).toHaveValue('out');
  await page.route('**/api/admin/today*', (route) =>
    route.fulfill({
      json: {
        version: 'one to pack',
        today: {
          ...quiet,
          toPack: {
            count: 1,
            orders: [
              {
                id: 1,
                customerName: 'Anjali Parameswaran Nambiar',
                pieces: 2,
                createdAt: '2026-11-20T10:00:00Z',
              },
            ],
          },
        },
      },
    }),
  );
  await page.goto('/admin#today');
  await page.reload();
  await expect(page.getByText('Anjali Parameswaran Nambiar')).toBeVisible();
  const cut = await page
    .locator('.today-tile *')
    .evaluateAll((parts) => parts.filter((part) => part.scrollWidth > part.clientWidth + 1).length);
  expect(cut, 'names that are cut').toBe(0);
  await page.locator('.today-tile').filter({ hasText: 'to pack' }).click();
  await expect(page.getByRole('button', { name: /^To pack/u })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});

test('Today says when there is nothing to do, and offers a retry when it fails to load', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/500/u);
  await page.route('**/api/admin/today*', (route) =>
    route.fulfill({ json: { version: 'quiet', today: quiet } }),
  );
  await openToday(page);
  await expect(page.getByText('All clear.')).toBeVisible();
  await expect(page.getByText('₹6,141.60')).toBeVisible();
  await expectAccessible(page, 'a day with nothing to do');
  await page.unroute('**/api/admin/today*');
  await page.route('**/api/admin/today*', (route) =>
    route.fulfill({ status: 500, body: 'broken' }),
  );
  await page.reload();
  await expect(page.getByText('Today could not be loaded')).toBeVisible();
  await page.unroute('**/api/admin/today*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/Sold today/u)).toBeVisible();
  await expect(page.getByText('Today could not be loaded')).toBeHidden();
});

test('closed checkout leads from Today to the notice, and publishing that failed is shown there', async ({
  page,
}) => {
  const day = isoDay(indiaCalendarDay(new Date()));
  const notice = { message: 'Away', first_day: day, last_day: day, closes_checkout: true };
  await page.route('**/api/admin/today*', (route) =>
    route.fulfill({
      json: {
        version: 'closed',
        today: {
          ...quiet,
          mailsStuckSince: '2026-11-26T04:45:00Z',
          notice: { ...notice, extra_days: 0 },
        },
      },
    }),
  );
  await page.route('**/api/admin/publish', (route) =>
    route.fulfill({
      json: {
        changes: [],
        count: 0,
        nextAt: null,
        deploys: null,
        empty: false,
        configured: true,
        build: { state: 'failed', startedAt: null, publishedAt: null, reason: 'exit code: 2' },
      },
    }),
  );
  await page.goto('/admin#today');
  await expect(page.getByText(/^Customers cannot buy: checkout is closed until/u)).toBeVisible();
  await expectAccessible(page, 'a day with checkout closed');
  await page.getByRole('link', { name: 'Change the holiday notice' }).click();
  const publishing = page.getByRole('region', { name: 'Publishing' });
  await expect(publishing.getByText('The last attempt to publish failed.')).toBeVisible();
  await publishing.getByText('For the person who maintains your site').click();
  await expectAccessible(page, 'publishing that failed');
});

test('the hold of a last piece ends with one press, and the piece is for sale again', async ({
  page,
}) => {
  const mark = `h${crypto.randomUUID().slice(0, 7)}`;
  const [last, customer] = await Promise.all([
    insertProduct({ name: `Last ${mark}`, category: shopCategory(0).slug, price: 700, stock: 1 }),
    createCustomer(),
  ]);
  const { order } = await placeOrder(customer, `Holder ${mark}`, [{ product: last, quantity: 1 }]);
  await page.setViewportSize({ width: 360, height: 740 });
  await openToday(page);
  await expect(
    page.getByRole('link', { name: new RegExp(`^Holder ${mark}, until`, 'u') }),
  ).toBeVisible();
  await expectAccessible(page, 'a last piece that is held');
  await page.getByRole('button', { name: `End hold of order ${String(order.number)}` }).click();
  await expect(page.getByText(`The hold of order ${String(order.number)} has ended`)).toBeVisible();
  await expect(
    page.getByRole('button', { name: `End hold of order ${String(order.number)}` }),
  ).toBeHidden();
  expect((await readProduct(last.id)).stock).toBe(1);
  await deleteProduct(last.id);
});

test('a payment that belongs to no order is sent back after a question that says the amount', async ({
  page,
}) => {
  const paymentId = await payForNothing(page);
  const payment = page.getByRole('listitem').filter({ hasText: paymentId }).last();
  await expect(async () => {
    await openToday(page);
    await expect(payment).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await payment.getByRole('button', { name: /^Send it back/u }).click();
  const dialog = page.getByRole('dialog', { name: 'Send ₹1,234.00 back?' });
  await expectAccessible(page, 'the question before a payment goes back');
  await dialog.getByRole('button', { name: 'Yes, refund ₹1,234.00' }).click();
  await expect(dialog).toBeHidden();
  await expect(payment).toBeHidden();
  await expect.poll(() => refundsOf(page, paymentId)).toEqual([123_400]);
});
