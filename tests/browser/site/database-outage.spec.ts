import type { Page } from '@playwright/test';
import { createCustomer, startWith } from '#tests/browser/account/customers.ts';
import { fillDetails, openDetails } from '#tests/browser/checkout/checkout-steps.ts';
import { demoCustomer, runningShop } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';

const stopDatabase = async (page: Page, down: boolean): Promise<void> => {
  const answer = await page.request.post('/local/database', { data: { down } });
  expect(answer.ok()).toBe(true);
};
// The database is everybody's.
test.describe.configure({ mode: 'serial' });
test.afterEach(async ({ page }) => stopDatabase(page, false));

test('without a database every public page opens and the cart works; what needs it says so, and recovers without a reload', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/.*/u);
  const customer = await createCustomer();
  await startWith(context, { customer });
  await page.goto('/shop');
  await stopDatabase(page, true);

  for (const path of [
    '/',
    '/about',
    '/contact',
    '/shop',
    `/shop?category=${shopCategory(0).slug}`,
    '/shipping-policy',
    '/terms',
  ]) {
    expect((await page.goto(path))?.status(), path).toBe(200);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await page.goto(`/shop?category=${shopCategory(0).slug}`);
  // A product that stays: the newest ones of the build are of other tests, which have deleted them since.
  const name = 'Nakshatra Solitaire Ring';
  const card = page.getByRole('article').filter({ hasText: name });
  await expect(card.getByRole('button', { name: /add to cart/iu })).toBeVisible();
  await card.getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await expectToast(page, 'Added to cart!');

  const dialog = await openDetails(page);
  await fillDetails(dialog, customer.email);
  const pay = dialog.getByRole('button', { name: 'Proceed to Payment' });
  await pay.click();
  await expectToast(page, 'Payment Error');
  await expect(page.getByText(/cannot be reached right now/u).first()).toBeVisible();
  await expect(dialog.getByLabel('City', { exact: true })).toHaveValue('Thrissur');

  await stopDatabase(page, false);
  await pay.click();
  const sandbox = page
    .frameLocator('iframe[title="Razorpay sandbox"]')
    .getByRole('dialog', { name: 'Razorpay sandbox' });
  await sandbox.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.waitForURL(/\/order-success\?/u);
  expect(page.url()).not.toContain('pending');
});

test('without a database sign-in and admin say what is wrong, and let in as soon as it is back', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/.*/u);
  await stopDatabase(page, true);
  await page.goto('/auth');
  const { email, password } = demoCustomer();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByText(/cannot be reached|try again/iu).first()).toBeVisible();
  await stopDatabase(page, false);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL('/');

  await stopDatabase(page, true);
  await page.goto('/admin');
  await page.getByLabel('Password', { exact: true }).fill(runningShop().adminPassword);
  await page.getByRole('button', { name: /log ?in/iu }).click();
  await expect(page.getByText(/cannot be reached|try again/iu).first()).toBeVisible();
  await stopDatabase(page, false);
  await page.getByRole('button', { name: /log ?in/iu }).click();
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
});
