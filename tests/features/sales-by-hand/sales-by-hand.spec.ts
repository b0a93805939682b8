import { startWith } from '#tests/browser/account/customers.ts';
import { cartLine, readProduct } from '#tests/browser/catalogue/product-rows.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { totalOf } from '#tests/browser/support/amounts.ts';
import { runningShop } from '#tests/browser/support/running-shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { expect, test } from '#tests/browser/admin/admin-page.ts';
import { otherPin, sendsToOtherStates } from '#tests/browser/support/destination.ts';

const instagram =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Instagram 350.0';

test('a sale on Instagram becomes an order with a link, which the customer pays: in a browser, and in Instagram’s own', async ({
  page,
  browser,
  newProduct,
}) => {
  const ring = await newProduct({ name: `Reel Ring ${crypto.randomUUID().slice(0, 8)}`, stock: 5 });
  await page.goto('/admin#orders');
  await page.getByRole('link', { name: 'New order' }).click();
  await expect(page.getByRole('heading', { name: 'New order' })).toBeFocused();
  const make = page.getByRole('button', { name: 'Make the order and its link' });
  await make.click();
  await expect(page.getByText('Choose a product')).toBeVisible();
  await page.getByLabel('Find a product').fill(ring.name);
  await page.getByRole('button', { name: `Add ${ring.name}` }).click();
  await page.getByRole('button', { name: `Increase quantity of ${ring.name}` }).click();
  await page.getByLabel('Name', { exact: true }).fill('Devika Nair');
  await page.getByLabel('Phone', { exact: true }).fill('9000000001');
  await make.click();
  await expect(page.getByText('Address must be at least 10 characters')).toBeVisible();
  await page.getByLabel('Address', { exact: true }).fill('12 Palace Road, Fort');
  await page.getByLabel('City', { exact: true }).fill('Mysuru');
  await page.getByLabel('Postal Code').fill('57000');
  await make.click();
  await expect(
    page.getByText(sendsToOtherStates ? 'Send it to 57000 all the same?' : 'We send within'),
  ).toBeInViewport();
  await page.getByLabel('Postal Code').fill(otherPin);
  await expectAccessible(page, 'the form of a new order');
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
  await make.click();
  await expectToast(page, 'is created');
  const panel = page.getByRole('region', { name: 'Payment link' });
  const link = (await panel.getByText(/\/pay\?order=/u).textContent()) ?? '';
  await expect(panel.getByRole('link', { name: 'Send by WhatsApp' })).toHaveAttribute(
    'href',
    new RegExp(`^https://wa\\.me/919000000001\\?text=.*${encodeURIComponent('/pay?order=')}`, 'u'),
  );
  expect((await readProduct(ring.id)).stock).toBe(3);
  await expectAccessible(page, 'an order with its link');

  // The customer, who has no account and no cookie of the shop's.
  const customer = await (
    await browser.newContext({ baseURL: runningShop().url, viewport: { width: 360, height: 780 } })
  ).newPage();
  await customer.goto(link);
  await expect(customer.getByText('The pieces are held for you until')).toBeVisible();
  await expect(customer.getByText(ring.name)).toBeVisible();
  await expectAccessible(customer, 'the page of a payment link');
  const sandbox = customer
    .frameLocator('iframe[title="Razorpay sandbox"]')
    .getByRole('dialog', { name: 'Razorpay sandbox' });
  await customer.getByRole('button', { name: /^Pay ₹/u }).click();
  await sandbox.getByRole('button', { name: /close/iu }).click();
  await customer.getByRole('button', { name: /^Pay ₹/u }).click();
  await sandbox.getByRole('button', { name: 'Pay', exact: true }).click();
  await customer.waitForURL(/&payment=paid$/u);
  await expect(customer.getByText('This order is paid. Thank you!')).toBeVisible();
  await expect(customer.getByRole('button', { name: /^Pay ₹/u })).toHaveCount(0);
  await customer.context().close();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Mark packed' })).toBeVisible();
  await expect(panel).toHaveCount(0);

  const order = {
    key: crypto.randomUUID(),
    lines: [{ product_id: ring.id, quantity: 1 }],
    channel: 'whatsapp',
    notes: '',
    email: '',
    name: 'Devika Nair',
    phone: '9000000001',
    handOver: true,
    payment: { by: 'link', hours: 1 },
    totalPaise: totalOf(Math.round(ring.price * 100)),
  };
  const made = await page.request.post('/api/admin/orders', {
    data: order,
    headers: { origin: runningShop().url },
  });
  const { id, payLink } = (
    (await made.json()) as { order: { id: number; payLink: { token: string } } }
  ).order;
  const inApp = await (
    await browser.newContext({
      baseURL: runningShop().url,
      userAgent: instagram,
      viewport: { width: 360, height: 780 },
    })
  ).newPage();
  await inApp.goto(`/pay?order=${String(id)}&token=${payLink.token}`);
  const provider = inApp.getByRole('dialog', { name: 'Razorpay sandbox' });
  await inApp.getByRole('button', { name: /^Pay ₹/u }).click();
  await provider.getByRole('button', { name: 'Close' }).click();
  await expect(inApp.getByText('The payment did not go through.')).toBeVisible();
  await inApp.getByRole('button', { name: /^Pay ₹/u }).click();
  await provider.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(inApp.getByText('This order is paid. Thank you!')).toBeVisible();
  await inApp.context().close();
});

test('a cart goes to the shop by WhatsApp: its link fills the form of a new order for the admin, and a cart for anybody else', async ({
  page,
  browser,
  newProduct,
}) => {
  const ring = await newProduct({ name: `Chat Ring ${crypto.randomUUID().slice(0, 8)}`, stock: 5 });
  const nobody = {
    baseURL: runningShop().url,
    viewport: { width: 360, height: 740 },
    storageState: { cookies: [], origins: [] },
  };
  const stranger = await browser.newContext(nobody);
  const customer = await stranger.newPage();
  await startWith(stranger, { cart: [{ ...cartLine(ring), quantity: 2 }] });
  await customer.goto('/cart');
  const chat = customer.getByRole('link', { name: /^Order on WhatsApp/u });
  const message = new URL((await chat.getAttribute('href')) ?? '').searchParams.get('text') ?? '';
  expect(message).toContain(`2 × ${ring.name}`);
  const link = message.split('\n').at(-1) ?? '';
  expect(link).toContain(`/order#${ring.id}.2`);

  const friend = await browser.newContext(nobody);
  const opened = await friend.newPage();
  await opened.goto(link);
  await opened.waitForURL('**/cart');
  await expect(opened.getByRole('group', { name: `Quantity of ${ring.name}` })).toContainText('2');
  // Opened again, it adds nothing.
  await opened.goto(link);
  await opened.waitForURL('**/cart');
  await expect(opened.getByRole('heading', { name: 'Shopping Cart (2 items)' })).toBeVisible();

  await page.goto(link);
  await page.waitForURL(/\/admin#orders\/new/u);
  await expect(page.getByText('From the customer’s cart')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Chosen products' })).toContainText(ring.name);
  await expect(page.getByLabel('Sold on')).toHaveValue('whatsapp');
  await stranger.close();
  await friend.close();
});
