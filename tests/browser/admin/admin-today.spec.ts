import type { Page } from '@playwright/test';
import * as z from 'zod';
import { expectAccessible } from '../support/accessible.ts';
import { expect, test } from './admin-page.ts';
import { runningShop, stackSecrets } from '../support/running-shop.ts';
import { refundsOf } from '../checkout/sale.ts';

const nothing = { count: 0 } as const;
const quiet = {
  ...{
    toPack: { ...nothing, orders: [] },
    toShip: { ...nothing, orders: [] },
    toAnswer: { ...nothing, messages: [] },
  },
  ...{
    low: { ...nothing, products: [] },
    soldOut: { ...nothing, products: [] },
    money: { ...nothing, items: [] },
  },
  claims: { ...nothing, claims: [] },
  holds: { ...nothing, orders: [] },
  ...{
    unsentMails: 0,
    sales: { todayOrders: 0, todayPaise: 0, monthOrders: 3, monthPaise: 614_160 },
  },
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
    data: { amount: 123_400, currency: 'INR', receipt: `KSV-9-${crypto.randomUUID().slice(0, 6)}` },
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
              { id: 1, customerName: 'Anjali', pieces: 2, createdAt: '2026-11-20T10:00:00Z' },
            ],
          },
        },
      },
    }),
  );
  await page.goto('/admin#today');
  await page.reload();
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
