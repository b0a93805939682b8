import { submitDetails } from './checkout-steps.ts';
import { waitForMail } from '#tests/browser/account/mailbox.ts';
import { createCustomer, startWith } from '#tests/browser/account/customers.ts';
import { cartLine } from '#tests/browser/catalogue/product-rows.ts';
import { totalText } from '#tests/browser/support/amounts.ts';
import { runningShop } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';

test.use({
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Instagram 350.0',
});

test('in the browser of Instagram the payment leaves the page for the provider’s, and comes back: cancelled, failed, then paid', async ({
  page,
  context,
  newProduct,
}) => {
  const [customer, ring] = await Promise.all([
    createCustomer(),
    newProduct({ name: 'Followed Ring' }),
  ]);
  await startWith(context, { customer, cart: [cartLine(ring)] });
  const sandbox = page.getByRole('dialog', { name: 'Razorpay sandbox' });
  await submitDetails(page, customer.email);
  await page.waitForURL(`${runningShop().payments}/checkout/page`);
  await sandbox.getByRole('button', { name: 'Close' }).click();
  // The cart takes `?payment=failed` out of its address as soon as it has read it: what stays is the message.
  await expectToast(page, 'Payment Failed', 'The payment did not go through. Your cart is kept.');
  await expect(page).toHaveURL('/cart');

  // With `redirect: true` a failed attempt leaves Checkout as well.
  await submitDetails(page, customer.email);
  await page.waitForURL(`${runningShop().payments}/checkout/page`);
  await sandbox.getByRole('button', { name: 'Fail' }).click();
  await expectToast(page, 'Payment Failed', 'The payment did not go through. Your cart is kept.');
  await expect(page).toHaveURL('/cart');

  await submitDetails(page, customer.email);
  await page.waitForURL(`${runningShop().payments}/checkout/page`);
  await expect(sandbox).toContainText(totalText(Math.round(ring.price * 100)));
  await sandbox.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.waitForURL(/\/order-success\?/u);
  await expect(page.getByRole('heading', { name: 'Thank You for Your Order!' })).toBeVisible();
  await waitForMail(customer.email, /order/iu);
});
