import { isoDateInIndia } from '#domain/india-month.ts';
import { createCustomer, startWith } from '#tests/browser/account/customers.ts';
import { expect, openMore, test } from '#tests/browser/admin/admin-page.ts';
import { cartLine } from '#tests/browser/catalogue/product-rows.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { totalText } from '#tests/browser/support/amounts.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { proceedToPayment } from '#tests/browser/checkout/checkout-steps.ts';

test('the owner makes a discount code, and a customer applies it, finds it after a reload and pays less', async ({
  page,
  context,
  newProduct,
  expectProblem,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const code = `ONAM-${String(Date.now()).slice(-8)}`;
  await openMore(page);
  const panel = page.locator('details').filter({ hasText: 'Discount codes' });
  await panel.locator('summary').click();
  await page.getByRole('button', { name: 'New code' }).click();
  const dialog = page.getByRole('dialog', { name: 'New discount code' });
  await dialog.getByRole('button', { name: 'Make the code' }).click();
  await expect(dialog.getByText('Write a code')).toBeVisible();
  await dialog.getByLabel('Code', { exact: true }).fill(code.toLowerCase());
  await dialog.getByLabel('Takes off').selectOption('Rupees');
  await dialog.getByLabel('How many rupees').fill('250');
  await dialog.getByLabel('For carts from').fill('1500');
  await dialog
    .getByLabel('Last day')
    .fill(isoDateInIndia(new Date(Date.now() + 86_400_000).toISOString()));
  await dialog.getByLabel('Show it to everybody in the cart').check();
  await expectAccessible(page, 'the form of a discount code');
  await dialog.getByRole('button', { name: 'Make the code' }).click();
  await expectToast(page, `${code} is ready`);
  await expect(panel.getByRole('listitem').filter({ hasText: code })).toContainText(
    '₹250.00 off carts from ₹1,500.00',
  );
  await expectAccessible(page, 'the discount codes');

  const customer = await createCustomer();
  await startWith(context, {
    customer,
    cart: [cartLine(await newProduct({ name: 'Onam Ring', price: 1000, stock: 5 }))],
  });
  expectProblem(/\/api\/discount/u);
  await page.goto('/cart');
  const field = page.getByLabel('Discount code', { exact: true });
  await field.fill('no such code');
  await field.press('Enter');
  await expect(page.getByText('We do not know the code NOSUCHCODE.')).toBeVisible();
  await expect(field).toBeFocused();
  const offered = page.getByRole('button', {
    name: `${code}: ₹250.00 off carts from ₹1,500.00 until`,
  });
  await offered.click();
  await expect(page.getByText('Add pieces for ₹500.00 more to use it.')).toBeVisible();
  await page.getByRole('button', { name: 'Increase quantity of Onam Ring' }).click();
  const summary = page.getByRole('region', { name: 'Order Summary' });
  await expect(summary).toContainText(`Discount (${code})`);
  await expect(summary).toContainText(totalText(175_000));
  await page.reload();
  await expect(summary).toContainText(totalText(175_000));
  await expectAccessible(page, 'a cart with a discount code');
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);

  const sandbox = await proceedToPayment(page, customer.email);
  await expect(sandbox).toContainText(totalText(175_000));
});
