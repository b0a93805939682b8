import { placeOrder } from '#tests/browser/checkout/sale.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';
import { cartLine } from '#tests/browser/catalogue/product-rows.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { createCustomer, startWith } from './customers.ts';
import { pin, state } from '#tests/browser/support/destination.ts';

test('an unpaid order is paid from the list of orders, and cancelled before it is packed', async ({
  page,
  context,
  newProduct,
}) => {
  const [customer, ring] = await Promise.all([
    createCustomer(),
    newProduct({
      name: 'Waiting Ring with a name that is longer than a row of the list',
      price: 1_000,
      stock: 3,
    }),
  ]);
  // The order comes from another device, so that this cart has nothing of it.
  await placeOrder(customer, 'Anjali Menon', [{ product: ring, quantity: 1 }]);
  await startWith(context, { customer });
  await page.goto('/profile#orders');
  const order = page.getByRole('article').filter({ hasText: 'Waiting Ring' });
  await expect(order).toContainText('PENDING');
  await expect(order).toContainText(/Not paid\. We hold it until \d/u);
  await order.getByRole('button', { name: 'Pay now' }).click();
  await page.waitForURL('/cart');
  const dialog = page.getByRole('dialog', { name: 'Contact Information' });
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Anjali Menon');
  await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
  await page
    .frameLocator('iframe[title="Razorpay sandbox"]')
    .getByRole('button', { name: 'Pay', exact: true })
    .click();
  await page.waitForURL(/\/order-success\?/u);

  await page.goto('/profile#orders');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(order).toContainText('COMPLETED');
  await expect(order.getByRole('list', { name: 'Progress' })).toContainText('Packed not yet');
  await expect(order).toContainText(
    `14 Temple Road, Vadakkumnathan West, Thrissur ${pin}, ${state.name}`,
  );
  await expect(order.getByRole('link', { name: /Waiting Ring/u })).toHaveAttribute(
    'href',
    `/product/${ring.id}`,
  );
  await expect(order.getByRole('link', { name: /Ask about this order/u })).toHaveAttribute(
    'href',
    /wa\.me\/\d+\?text=Order%20%23\d+/u,
  );
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  const row = order.locator('summary');
  await row.click();
  await expect(order.getByRole('list', { name: 'Progress' })).toHaveCount(0);
  await expect(row).toContainText(/Order #\d+.*COMPLETED\s*Being packed/u);
  await row.click();
  await order.getByRole('button', { name: 'Cancel order' }).click();
  await order.getByRole('button', { name: 'Yes, cancel it' }).click();
  await expectToast(page, 'Order cancelled');
  await expect(order).toContainText('Cancelled on');
  await expect(order.getByRole('button', { name: 'Cancel order' })).toHaveCount(0);
});

test('an unpaid order that is released stays in the list without a payment, and the cart stays', async ({
  page,
  context,
  newProduct,
}) => {
  const [customer, ring] = await Promise.all([
    createCustomer(),
    newProduct({ name: 'Released Ring', stock: 1 }),
  ]);
  await placeOrder(customer, 'Anjali Menon', [{ product: ring, quantity: 1 }]);
  await startWith(context, { customer, cart: [cartLine(ring)] });
  await page.goto('/profile#orders');
  const order = page.getByRole('article').filter({ hasText: 'Released Ring' });
  await order.getByRole('button', { name: 'Release' }).click();
  await expectToast(page, 'Order released');
  await expect(order.getByRole('button', { name: 'Pay now' })).toHaveCount(0);
  await page.goto('/cart');
  await expect(page.getByRole('link', { name: 'Released Ring' }).first()).toBeVisible();
});
