import { cartLine } from '#tests/browser/catalogue/product-rows.ts';
import { createCustomer, startWith } from '#tests/browser/account/customers.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { proceedToPayment } from './checkout-steps.ts';

test('a payment whose verification does not answer is explained on the confirmation page, however slowly that page comes', async ({
  page,
  context,
  newProduct,
  expectProblem,
}) => {
  expectProblem(/payment\/verify|ERR_FAILED/u);
  const [customer, ring] = await Promise.all([
    createCustomer(),
    newProduct({ name: 'Unverified Ring' }),
  ]);
  await startWith(context, { customer, cart: [cartLine(ring)] });
  await page.route('**/api/payment/verify', (route) => route.abort());
  const sandbox = await proceedToPayment(page, customer.email);
  // Everything that the cart's page does on its way out is done before the next page answers.
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 1_000,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await sandbox.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.waitForURL(/\/order-success\?.*status=pending/u);
  await expectToast(page, 'Payment Completed', 'verification is pending', 'contact support');
  expect(
    await page.evaluate(() => sessionStorage.getItem('kasavu:toasts')),
    'shown once, and not kept for a page after this one',
  ).toBeNull();
});

test('an unconfirmed payment is called no order, also before the scripts of the page have come', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/_astro|ERR_FAILED|Failed to/u);
  await page.route('**/_astro/*.js*', async (route) => route.abort());
  await page.goto('/order-success?order_id=order_AAAAAAAAAAAAAA&status=pending');
  await expect(
    page.getByRole('heading', { name: 'Your Payment Is Being Confirmed' }),
  ).toBeVisible();
  await expect(page.getByText('Thank You for Your Order!')).toBeHidden();
  await page.goto('/order-success?order_id=order_AAAAAAAAAAAAAA');
  await expect(page.getByRole('heading', { name: 'Thank You for Your Order!' })).toBeVisible();
});

test('the page of an order says no thanks for an order that its address does not name', async ({
  page,
}) => {
  await page.goto('/order-success');
  await expect(page.getByRole('heading', { name: 'Look at your orders' })).toBeVisible();
  await expect(page.getByText('Thank You for Your Order!')).toBeHidden();
  await expect(page.getByText('A confirmation e-mail will follow shortly.')).toBeHidden();
  await expect(page.getByRole('link', { name: 'Your orders' })).toHaveAttribute(
    'href',
    '/profile#orders',
  );
});
