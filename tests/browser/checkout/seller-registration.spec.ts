import { cartLine } from '#tests/browser/catalogue/product-rows.ts';
import { createCustomer, startWith } from '#tests/browser/account/customers.ts';
import { feeLabel, taxStanding } from '#domain/tax-standing.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { fillDetails, openDetails } from './checkout-steps.ts';

/* What the seller's registration lets the customer do: the shop under test may be of any kind. */
const { collectsTax } = taxStanding();

test('a GSTIN of another state than the parcel’s is asked about once, with what it means; without tax invoices there is no field', async ({
  page,
  newProduct,
}, testInfo) => {
  const [customer, ring] = await Promise.all([createCustomer(), newProduct()]);
  await startWith(page.context(), { customer, cart: [cartLine(ring)] });
  const dialog = await openDetails(page);
  await dialog.getByText('1 item').click();
  await expect(dialog.getByText(feeLabel(), { exact: true })).toBeVisible();
  await fillDetails(dialog, customer.email);
  if (!collectsTax) {
    await expect(dialog.getByText('Buying for a business?')).toHaveCount(0);
    return;
  }
  const asked: string[] = [];
  await page.route('**/api/payment/create-order', async (route) => {
    asked.push(String((route.request().postDataJSON() as { asked_about: unknown }).asked_about));
    await route.continue();
  });
  await dialog.getByText('Buying for a business?').click();
  const gstin = dialog.getByLabel('GSTIN (optional)');
  await gstin.fill('27AAPFU0939F1ZV');
  const pay = dialog.getByRole('button', { name: 'Proceed to Payment' });
  await pay.click();
  const question = dialog.getByText('This GSTIN is of Maharashtra, but the parcel goes to Kerala.');
  await expect(question).toBeVisible();
  await expect(question).toContainText('The place of supply is where the goods are delivered');
  await expect(gstin).toBeFocused();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await expectAccessible(page, 'the details with the question');
  await page.screenshot({ path: testInfo.outputPath('gstin.png') });
  expect(asked).toEqual([]);
  await pay.click();
  await expect(page.locator('iframe[title="Razorpay sandbox"]')).toBeVisible();
  expect(asked).toEqual(['']);
});
