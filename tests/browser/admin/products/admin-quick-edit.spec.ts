import { changeProduct } from '#tests/browser/catalogue/product-rows.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { expect, findRow, openAdmin, test } from '#tests/browser/admin/admin-page.ts';

const newName = () => `Thread ${crypto.randomUUID().slice(0, 8)}`;

test('price and stock are changed in the list; what is wrong, changed elsewhere or could not be saved is shown beside the fields', async ({
  page,
  context,
  newProduct,
  expectProblem,
}) => {
  expectProblem(/409|ERR_INTERNET_DISCONNECTED/u);
  const product = await newProduct({ name: newName(), stock: 7, price: 500 });
  await openAdmin(page);
  await (
    await findRow(page, product.name)
  )
    .first()
    .getByRole('button', { name: /^Change price and stock/u })
    .press('Enter');
  const form = page.getByRole('form', { name: `Price and stock of ${product.name}` });
  const stock = form.getByLabel('Stock');
  const price = form.getByLabel('Price (₹)', { exact: true });
  await expect(stock).toBeFocused();
  await form.getByRole('button', { name: 'One more' }).click();
  await form.getByRole('button', { name: 'One more' }).click();
  await form.getByRole('button', { name: 'One less' }).click();
  await expect(stock).toHaveValue('8');
  await price.fill('0');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Price must be more than ₹0')).toBeVisible();
  await price.fill('650');
  await changeProduct(product.name, { stock: 5, price: 550 });
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Changed meanwhile from ₹500 to ₹550: look again.')).toBeVisible();
  await expect(price).toHaveValue('650');
  await expect(stock).toHaveValue('6');
  await expectAccessible(page, 'price and stock in the list');
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
  await context.setOffline(true);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toContainText('Not saved. You are offline.');
  await context.setOffline(false);
  await changeProduct(product.name, { stock: 4 });
  await form.getByRole('button', { name: 'Save' }).click();
  await expectToast(
    page,
    'Updated',
    `${product.name}. Stock is 5: it changed while you were editing.`,
  );
  await expect(form).toBeHidden();
  await expect(page.getByText('5 units')).toBeVisible();
});
