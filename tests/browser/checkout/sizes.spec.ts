import { createCustomer, startWith } from '#tests/browser/account/customers.ts';
import { deleteProduct, insertProduct } from '#tests/browser/catalogue/product-rows.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { lowStockNotes, totalText } from '#tests/browser/support/amounts.ts';
import { supabaseAs } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { proceedToPayment } from './checkout-steps.ts';

test('a customer chooses size 14 of a ring, and 12 for a friend: two lines, and the order says which', async ({
  page,
  context,
}) => {
  // The stock in the build, whatever was bought since.
  const sizes = Object.entries({ '10': 2, '12': 3, '14': 4, '16': 2, '18': 0 }).map(
    ([size, stock]) => ({ size, stock }),
  );
  expect(
    (await supabaseAs('shop').from('products').update({ sizes }).eq('name', 'Palakka Mothiram'))
      .error,
  ).toBeNull();
  const customer = await createCustomer();
  await startWith(context, { customer });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/shop/${shopCategory(0).slug}`);
  // Its card leads to where the sizes are.
  await page.getByRole('link', { name: 'Choose size: Palakka Mothiram' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Palakka Mothiram');
  expect(
    await page.evaluate(() => localStorage.getItem('kasavu:cart') ?? '[]'),
    'the link to the sizes puts nothing into the cart',
  ).toBe('[]');
  await expect(page.getByRole('radio', { name: 'Size 18, sold out' })).toBeDisabled();
  await expect(page.locator('[data-cart-link]')).toHaveAccessibleName('Cart');

  const add = page.getByRole('button', { name: 'Add to Cart', exact: true }).first();
  await add.click();
  await expect(page.getByText('Please choose your size first.')).toBeVisible();
  await expect(page.getByRole('radio', { name: '10' })).toBeFocused();
  await expectAccessible(page, 'a product with sizes');
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
  const chip = await page.getByRole('radio', { name: '14' }).boundingBox();
  expect(Math.min(chip?.width ?? 0, chip?.height ?? 0)).toBeGreaterThanOrEqual(44);

  await page.getByRole('radio', { name: '14' }).check();
  await expect(page.getByText('Please choose your size first.')).toBeHidden();
  await expect(page.getByText('Only 4 left in this size')).toHaveCount(lowStockNotes(4));
  await add.click();
  await expectToast(page, 'Added to cart!', 'Palakka Mothiram · Size 14');
  await page.getByRole('radio', { name: '12' }).check();
  const quantity = page.getByRole('spinbutton', { name: 'Quantity' });
  await quantity.fill('9');
  await quantity.blur();
  await expect(quantity).toHaveValue('3');
  await quantity.fill('1');
  await add.click();

  const sandbox = await proceedToPayment(page, customer.email);
  await expect(sandbox).toContainText(totalText(259_800));
  await sandbox.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.waitForURL(/\/order-success\?/u);
  await page.goto('/profile');
  await page.getByRole('tab', { name: 'Orders' }).click();
  const order = page.getByRole('article').filter({ hasText: 'Palakka Mothiram' });
  await expect(order).toContainText(/Palakka Mothiram\s*Size 14 ×\s1/u);
  await expect(order).toContainText(/Palakka Mothiram\s*Size 12 ×\s1/u);
});

test('sizes of forty letters fit a phone, with and without a place to break them', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const long = ['14k White Gold with Ruby / 15 inch, large', 'w'.repeat(40)].map((size) =>
    size.slice(0, 40),
  );
  const sizes = long.map((size) => ({ size, stock: 3 }));
  const { id } = await insertProduct({ name: 'Chain of long sizes', sizes, stock: 6 });
  const overflow = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  try {
    await page.goto(`/product/${id}`);
    for (const size of long) {
      await page.getByRole('radio', { name: size }).check();
      await page.getByRole('button', { name: 'Add to Cart', exact: true }).first().click();
      await expectToast(page, 'Added to cart!', size);
    }
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.goto('/cart');
    for (const size of long) await expect(page.getByText(`Size ${size}`)).toBeVisible();
    expect(await overflow()).toBeLessThanOrEqual(0);
  } finally {
    await deleteProduct(id);
  }
});
