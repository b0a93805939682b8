import { addFromShop, expect, mailTo, proceedToPayment, signUp, test, waitForMail } from './shop.ts';

test('a shopper buys a ring, from the home page to the order list', async ({ page }) => {
  const shopper = await signUp(page);
  await page.getByRole('link', { name: 'Shop Collection' }).click();
  await page.getByLabel('Category').selectOption('rings');
  await page.getByRole('link', { name: 'Piriyan Rope Band' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Piriyan Rope Band');
  await expect(page.getByText('₹699.00').first()).toBeVisible();
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await expect(page.getByText('Added to cart!')).toBeVisible();

  const sandbox = await proceedToPayment(page, shopper.email);
  await expect(sandbox).toContainText('715.50');
  await sandbox.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.waitForURL(/\/order-success\?/u, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { name: 'Thank You for Your Order!' })).toBeVisible();
  const address = new URL(page.url());
  const orderId = address.searchParams.get('order_id') ?? '';
  expect(orderId).toMatch(/^order_[A-Za-z0-9]{14}$/u);
  expect(address.searchParams.get('payment_id')).toMatch(/^pay_[A-Za-z0-9]{14}$/u);
  expect(address.searchParams.get('status')).toBeNull();
  await expect(page.getByText(orderId).first()).toBeVisible();

  const mail = await waitForMail(page, shopper.email, /order/iu);
  expect(mail.text).toContain('Piriyan Rope Band');
  expect(mail.text).toContain('₹715.50');

  await page.goto('/profile');
  await page.getByRole('tab', { name: 'Orders' }).click();
  const order = page.getByRole('article').filter({ hasText: 'Piriyan Rope Band' });
  await expect(order).toContainText('COMPLETED');
  await expect(order).toContainText('₹715.50');
  // The webhooks have arrived meanwhile as well: still one confirmation.
  await page.request.post('/local/sweep');
  const confirmations = (await mailTo(page, shopper.email)).filter((sent) => sent.text.includes('Piriyan Rope Band'));
  expect(confirmations).toHaveLength(1);
  await page.goto('/cart');
  await expect(page.getByText(/your cart is empty/iu)).toBeVisible();
});

test('dismissing the payment keeps the cart, a failed one says why, and the same order is paid in the end', async ({
  page,
}) => {
  const shopper = await signUp(page);
  await addFromShop(page, 'Thamara Lotus Ring');
  const sandbox = await proceedToPayment(page, shopper.email);
  await sandbox.getByRole('button', { name: /close/iu }).click();
  await expect(page.getByText('You cancelled the payment.')).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Contact Information' });
  await expect(dialog.getByLabel('City', { exact: true })).toHaveValue('Thrissur');

  await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
  await sandbox.getByRole('button', { name: 'Fail', exact: true }).click();
  await expect(page.getByText('Payment Failed', { exact: true })).toBeVisible();
  // The provider's window stays, so that another way of paying can be tried.
  await sandbox.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.waitForURL(/\/order-success\?/u, { waitUntil: 'commit' });

  await page.goto('/profile');
  await page.getByRole('tab', { name: 'Orders' }).click();
  await expect(page.getByRole('article').filter({ hasText: 'Thamara Lotus Ring' })).toHaveCount(1);
});

test('a payment whose browser was closed is finished by the webhook', async ({ page }) => {
  const shopper = await signUp(page);
  await addFromShop(page, 'Mangalyam Couple Bands');
  const created = page.waitForResponse(/\/api\/payment\/create-order/u);
  await proceedToPayment(page, shopper.email);
  const { order_id: orderId } = (await (await created).json()) as { order_id: string };
  await page.goto('/about');
  await page.request.post(`/local/razorpay/orders/${orderId}/pay`, { data: {} });
  const mail = await waitForMail(page, shopper.email, /order/iu);
  expect(mail.text).toContain('Mangalyam Couple Bands');
  await page.goto('/profile');
  await page.getByRole('tab', { name: 'Orders' }).click();
  await expect(page.getByRole('article').filter({ hasText: 'Mangalyam Couple Bands' })).toContainText('COMPLETED');
});

test('when the payment service is down the shopper is told, and the cart and everything typed stay', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/503/u);
  // The sandbox's faults are shared by all workers, so the fault is made in the browser's own network instead.
  const shopper = await signUp(page);
  await addFromShop(page, 'Mangalyam Couple Bands');
  await page.route('**/api/payment/create-order', (route) => route.fulfill({ status: 503, body: 'upstream' }));
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Contact Information' });
  await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
  await expect(page.getByText('Please correct the highlighted fields.')).toBeVisible();
  await expect(dialog.getByText('City must be at least 2 characters')).toBeVisible();
  for (const [label, value] of [
    ['Name', 'Anjali Menon'],
    ['Phone', '+91 98470 12345'],
    ['Address', '14 Temple Road, West'],
    ['City', 'Thrissur'],
    ['Postal Code', '680001'],
  ] as const) {
    await dialog.getByLabel(label, { exact: true }).fill(value);
  }
  await expect(dialog.getByText('City must be at least 2 characters')).toBeHidden();
  await dialog.getByLabel('Email', { exact: true }).fill(shopper.email);
  await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
  await expect(page.getByText('Payment Error')).toBeVisible();
  await expect(page.getByText('Backend error: 503')).toBeVisible();
  await expect(dialog.getByLabel('City', { exact: true })).toHaveValue('Thrissur');
  await page.reload();
  await expect(page.getByText('Mangalyam Couple Bands').first()).toBeVisible();
});
