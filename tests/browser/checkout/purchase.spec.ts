import { fillDetails, openDetails, proceedToPayment } from './checkout-steps.ts';
import { reportFigures } from '#tests/figures.ts';
import { checkoutSettings } from '#domain/checkout/checkout-settings.ts';
import { mailTo, waitForMail } from '#tests/browser/account/mailbox.ts';
import { cartLine, changeProduct } from '#tests/browser/catalogue/product-rows.ts';
import { totalText } from '#tests/browser/support/amounts.ts';
import { chooseInListing } from '#tests/browser/support/listing-fields.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { createCustomer, startWith } from '#tests/browser/account/customers.ts';
import { expectToast, shownToasts } from '#tests/browser/support/toasts.ts';
import { feeLabel } from '#domain/tax-standing.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';

test(
  'a customer buys a ring, from the home page to the order list',
  { tag: '@every-width' },
  async ({ page, context, isMobile }) => {
    // A product that the shop's page lists, for each width its own, and enough of it.
    const ring = isMobile
      ? { name: 'Piriyan Rope Band', price: '₹699.00', total: totalText(69_900) }
      : { name: 'Thamara Lotus Ring', price: '₹1,199.00', total: totalText(119_900) };
    await changeProduct(ring.name, { stock: 20 });
    const customer = await createCustomer();
    await startWith(context, { customer });
    // Errors of the shop's pages and of the frames in them.
    let reports = 0;
    await context.exposeBinding('noteReport', () => {
      reports += 1;
    });
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', () => {
        (window as unknown as { noteReport: () => void }).noteReport();
      });
    });
    await page.goto('/');
    await page.getByRole('link', { name: 'Shop Collection' }).click();
    await chooseInListing(page, 'Category', shopCategory(0).slug);
    await page.getByRole('link', { name: ring.name }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(ring.name);
    await expect(page.getByText(ring.price).first()).toBeVisible();
    await page.getByRole('button', { name: 'Add to Cart' }).first().click();
    await expectToast(page, 'Added to cart!');

    const sandbox = await proceedToPayment(page, customer.email);
    await expect(sandbox).toContainText(ring.total);
    await sandbox.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.waitForURL(/\/order-success\?/u);
    await expect(page.getByRole('heading', { name: 'Thank You for Your Order!' })).toBeVisible();
    const address = new URL(page.url());
    const orderId = address.searchParams.get('order_id') ?? '';
    expect(orderId).toMatch(/^order_[A-Za-z0-9]{14}$/u);
    expect(address.searchParams.get('payment_id')).toMatch(/^pay_[A-Za-z0-9]{14}$/u);
    expect(address.searchParams.get('status')).toBeNull();
    await expect(page.getByText(orderId).first()).toBeVisible();
    const bought = page.getByRole('region', { name: 'Your order' });
    await expect(bought).toContainText(ring.name);
    await expect(bought).toContainText(ring.total);
    await expect(bought).toContainText('Expected');
    await expect(bought.getByRole('link', { name: 'See your order' })).toHaveAttribute(
      'href',
      '/profile#orders',
    );

    const mail = await waitForMail(customer.email, /order/iu);
    expect(mail.text).toContain(ring.name);
    expect(mail.text).toContain(ring.total);

    await page.goto('/profile');
    await page.getByRole('tab', { name: 'Orders' }).click();
    const order = page.getByRole('article').filter({ hasText: ring.name });
    await expect(order).toContainText('COMPLETED');
    await expect(order).toContainText(feeLabel());
    await expect(order).toContainText(ring.total);
    // The webhooks have arrived meanwhile as well: still one confirmation.
    await page.request.post('/local/sweep');
    const confirmations = (await mailTo(customer.email)).filter((sent) =>
      sent.text.includes(ring.name),
    );
    expect(confirmations).toHaveLength(1);
    await page.goto('/cart');
    await expect(page.getByText(/your cart is empty/iu)).toBeVisible();
    reportFigures(18, {
      [isMobile ? 'checkouts on a phone' : 'checkouts on a desktop']: 1,
      [isMobile ? 'CSP reports on a phone' : 'CSP reports on a desktop']: reports,
    });
    expect(reports).toBe(0);
  },
);

test('dismissing the payment keeps the cart, a failed one says why, and the same order is paid in the end', async ({
  page,
  context,
  newProduct,
}) => {
  const [customer, ring] = await Promise.all([
    createCustomer(),
    newProduct({ name: 'Dismissed Ring' }),
  ]);
  await startWith(context, { customer, cart: [cartLine(ring)] });
  const sandbox = await proceedToPayment(page, customer.email);
  await sandbox.getByRole('button', { name: /close/iu }).click();
  await expectToast(page, 'You cancelled the payment.');
  const dialog = page.getByRole('dialog', { name: 'Contact Information' });
  await expect(dialog.getByLabel('City', { exact: true })).toHaveValue('Thrissur');

  await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
  await sandbox.getByRole('button', { name: 'Fail', exact: true }).click();
  await expectToast(page, 'Payment Failed');
  // The provider's window stays, so that another way of paying can be tried. The keyboard presses it, because on a phone the
  // message lies over the button for a while.
  await sandbox.getByRole('button', { name: 'Pay', exact: true }).press('Enter');
  await page.waitForURL(/\/order-success\?/u);

  await page.goto('/profile');
  await page.getByRole('tab', { name: 'Orders' }).click();
  await expect(page.getByRole('article').filter({ hasText: 'Dismissed Ring' })).toHaveCount(1);
});

test('a report of the order that arrives after the payment was cancelled shows no message', async ({
  page,
  context,
  newProduct,
}) => {
  const [customer, ring] = await Promise.all([
    createCustomer(),
    newProduct({ name: 'Late Report Ring' }),
  ]);
  await startWith(context, { customer, cart: [cartLine(ring)] });
  const cancelled = Promise.withResolvers<undefined>();
  await page.route('/', async (route) => {
    await cancelled.promise;
    await route.continue();
  });
  const sandbox = await proceedToPayment(page, customer.email);
  await sandbox.getByRole('button', { name: /close/iu }).click();
  await expectToast(page, 'You cancelled the payment.');
  const report = page.waitForResponse(
    (response) =>
      response.request().method() === 'POST' && new URL(response.url()).pathname === '/',
  );
  cancelled.resolve(undefined);
  expect((await report).ok()).toBe(true);
  // Opening the payment again takes longer than a message takes to be drawn.
  await page.getByRole('button', { name: 'Proceed to Payment' }).click();
  await expect(sandbox).toBeVisible();
  expect((await shownToasts(page)).join()).toContain('Payment Cancelled');
  expect((await shownToasts(page)).join()).not.toContain('Order Submitted');
});

test('when the payment expires, its window closes automatically and the details are shown again', async ({
  page,
  context,
  newProduct,
}) => {
  const [customer, ring] = await Promise.all([
    createCustomer(),
    newProduct({ name: 'Forgotten Ring' }),
  ]);
  await startWith(context, { customer, cart: [cartLine(ring)] });
  await page.clock.install();
  const sandbox = await proceedToPayment(page, customer.email);
  await page.clock.fastForward((checkoutSettings.holdSeconds - 60) * 1_000);
  await expect(sandbox).toBeHidden();
  await expect(
    page.getByRole('dialog', { name: 'Contact Information' }).getByLabel('City', { exact: true }),
  ).toHaveValue('Thrissur');
});

test('when the payment service is down the customer sees a message, and the cart and the form keep their contents', async ({
  page,
  context,
  newProduct,
  expectProblem,
}) => {
  expectProblem(/503/u);
  // The sandbox's faults are shared by all workers, so the fault is made in the browser's own network instead.
  const [customer, bands] = await Promise.all([
    createCustomer(),
    newProduct({ name: 'Waiting Bands' }),
  ]);
  await startWith(context, { customer, cart: [cartLine(bands)] });
  await page.route('**/api/payment/create-order', (route) =>
    route.fulfill({ status: 503, body: 'upstream' }),
  );
  const dialog = await openDetails(page);
  await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Please correct the highlighted fields.');
  await expect(dialog.getByText('City must be at least 2 characters')).toBeVisible();
  await fillDetails(dialog, customer.email);
  await expect(dialog.getByText('City must be at least 2 characters')).toBeHidden();
  await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
  await expectToast(page, 'Payment Error', 'Backend error: 503');
  await expect(dialog.getByLabel('City', { exact: true })).toHaveValue('Thrissur');
  await page.reload();
  await expect(page.getByText('Waiting Bands').first()).toBeVisible();
});
