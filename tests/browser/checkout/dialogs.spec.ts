import { createCustomer, startWith } from '#tests/browser/account/customers.ts';
import { filterButton } from '#tests/browser/support/listing-fields.ts';
import { expectButtonsFit } from '#tests/browser/support/dialog-fit.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { addFromShop, openDetails } from './checkout-steps.ts';

test('every button of the shop’s dialogs fits on a phone, also above a keyboard', async ({
  page,
  context,
}) => {
  test.slow();
  await startWith(context, { customer: await createCustomer() });
  await page.goto('/shop');
  const name = await page.getByRole('article').getByRole('heading').first().innerText();
  await filterButton(page).click();
  // Its fields are boxes to tick and lists: they open no keyboard.
  await expectButtonsFit(page, page.getByRole('dialog', { name: 'Sort and filter' }), {
    keyboard: false,
  });

  await addFromShop(page, name);
  const details = await openDetails(page);
  await details.getByRole('button', { name: 'Proceed to Payment' }).click();
  await expect(details.getByRole('alert')).toBeVisible();
  await expectButtonsFit(page, details);
  await details.getByRole('button', { name: 'Close' }).first().click();
  await page.getByRole('button', { name: 'Clear Cart' }).click();
  await expectButtonsFit(page, page.getByRole('dialog', { name: 'Clear your cart?' }));
  await page.getByRole('button', { name: 'Keep my items' }).click();
});
