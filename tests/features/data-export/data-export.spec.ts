import { createCustomer, startWith } from '#tests/browser/account/customers.ts';
import { logInAsAdmin } from '#tests/browser/admin/admin-page.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { expect, test } from '#tests/browser/support/shop.ts';

test('a customer sees their stored data', async ({ page, context }) => {
  const customer = await createCustomer();
  await startWith(context, { customer });
  await page.goto('/profile');
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'See my data' }).click();
  const data = await opened;
  await expect(data.getByRole('heading', { name: /^What .* knows about you$/u })).toBeVisible();
  await expect(data.getByText(customer.email).first()).toBeVisible();
  await expectAccessible(data, 'what the shop holds of a customer');
});

test('the admin downloads the data of an address, and may erase it from the same form', async ({
  page,
}) => {
  const { email } = await createCustomer();
  await page.goto('/admin#customers');
  // A login of its own: to erase, the password must have been typed in the last ten minutes.
  await logInAsAdmin(page);
  await page.getByText('Someone requests their data').click();
  await expect(page.getByText('download or erase it')).toBeVisible();
  const address = page.getByLabel('Their e-mail address');
  await address.fill(email);
  const read = page.waitForEvent('download');
  await address.press('Enter');
  expect((await read).suggestedFilename()).toBe('your-data.html');
  await expect(
    page.getByText(`Saved to your downloads. Send it to ${email}, and to nobody else.`),
  ).toBeVisible();
  const programs = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download for programs' }).click();
  expect((await programs).suggestedFilename()).toBe('your-data.json');
  await page.getByRole('button', { name: 'Erase…' }).click();
  await page.getByRole('button', { name: 'Erase for good' }).click();
  await expect(page.getByText('Everything about this address is erased.')).toBeVisible();
});
