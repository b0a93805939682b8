import { logInAsAdmin } from '#tests/browser/admin/admin-page.ts';
import { cartLine } from '#tests/browser/catalogue/product-rows.ts';
import { createCustomer, startWith } from '#tests/browser/account/customers.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';
import { runningShop, supabaseAs } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { fillDetails, openDetails } from './checkout-steps.ts';
import { sendsToOtherStates } from '#tests/browser/support/destination.ts';

test.use({ viewport: { width: 360, height: 780 } });

test('the PIN code fills the city in, which follows it and can be changed; what was typed stays', async ({
  page,
  context,
  newProduct,
  expectProblem,
}, testInfo) => {
  // Such a seller's checkout refuses what is in no state, and what is in another one.
  test.skip(!sendsToOtherStates, 'this seller sends within the own state alone');
  expectProblem(/ERR_INTERNET_DISCONNECTED/u);
  const [customer, ring] = await Promise.all([createCustomer(), newProduct()]);
  await startWith(context, { customer, cart: [cartLine(ring)] });
  const dialog = await openDetails(page);
  const city = dialog.getByLabel('City', { exact: true });
  const pin = dialog.getByLabel('Postal Code');
  const hint = dialog.getByText('From the PIN code. Change it if you like.');
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/pins/')) asked.push(pathname);
  });
  await pin.fill('68200');
  await expect(city).toHaveValue('');
  await pin.fill('682 001');
  await expect(city).toHaveValue('Kochi');
  await expect(hint).toBeVisible();
  await expect(dialog.getByText('Kerala')).toBeVisible();
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await city.scrollIntoViewIfNeeded();
  await page.screenshot({ path: testInfo.outputPath('city-360.png') });
  await pin.fill('560001');
  await expect(city).toHaveValue('Bengaluru');

  await test.step('nothing replaces what the customer typed', async () => {
    await city.fill('Whitefield');
    await expect(hint).toBeHidden();
    expect(asked.length, 'the directory was asked before').toBeGreaterThan(0);
    await pin.fill('695001');
    await expect(dialog.getByText('Kerala')).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
    await expect(city).toHaveValue('Whitefield');
  });

  await test.step('a PIN code that the directory does not know, and one without a connection, leave the city to the customer', async () => {
    await city.fill('');
    const answered = page.waitForResponse(/\/pins\/68\.json$/u);
    await pin.fill('683101');
    await answered;
    await context.setOffline(true);
    const failed = page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/pins/11.json'),
    );
    await pin.fill('110001');
    await failed;
    await expect(dialog.getByText('Delhi', { exact: true })).toBeVisible();
    await expect(city).toHaveValue('');
    await city.fill('New Delhi');
    await context.setOffline(false);
    await expect(city).toHaveValue('New Delhi');
  });
});

test('a saved town follows the PIN code; one that was typed with another PIN code is asked about once', async ({
  page,
  context,
  newProduct,
}) => {
  test.skip(!sendsToOtherStates, 'this seller sends within the own state alone');
  const [customer, ring] = await Promise.all([createCustomer(), newProduct()]);
  const { error } = await supabaseAs('shop')
    .from('profiles')
    .update({
      full_name: 'Anjali Menon',
      phone: '9847012345',
      address: '12 Temple Road, Punkunnam',
      city: 'Thrissur',
      postal_code: '680001',
    })
    .eq('email', customer.email);
  expect(error).toBeNull();
  await startWith(context, { customer, cart: [cartLine(ring)] });
  const dialog = await openDetails(page);
  await dialog.getByRole('button', { name: 'Change the address' }).click();
  const city = dialog.getByLabel('City', { exact: true });
  const pin = dialog.getByLabel('Postal Code');
  await expect(city).toHaveValue('Thrissur');
  await pin.fill('110001');
  await expect(city).toHaveValue('Delhi');
  await city.fill('Saket');
  await pin.fill('682016');
  await expect(dialog.getByText('Kerala')).toBeVisible();
  await expect(city).toHaveValue('Saket');
  const pay = dialog.getByRole('button', { name: 'Proceed to Payment' });
  await pay.click();
  await expect(
    dialog.getByText('682016 is in Kochi. Send it to Saket all the same?'),
  ).toBeVisible();
  await expect(city).toBeFocused();
  await pay.click();
  await expect(page.locator('iframe[title="Razorpay sandbox"]')).toBeVisible();
});

test('a gift note is kept when the checkout is left and opened again, and the admin reads it', async ({
  page,
  browser,
  context,
  newProduct,
}, testInfo) => {
  const [customer, ring] = await Promise.all([createCustomer(), newProduct({ name: 'Gift Ring' })]);
  await startWith(context, { customer, cart: [cartLine(ring)] });
  const dialog = await openDetails(page);
  await fillDetails(dialog, customer.email);
  await dialog.getByText('Is this a gift?').click();
  const note = dialog.getByLabel('Gift note (optional)');
  const text = 'Happy birthday, Amma! With love from Anjali and the two little ones.';
  await note.fill(text);
  await expect(dialog.getByText('Printed on the slip in the parcel')).toBeVisible();
  const recipient = dialog.getByLabel('Recipient’s phone (optional)');
  await dialog.getByLabel('Recipient’s name (optional)').fill('Lakshmi Nair');
  await recipient.fill('98950 5432');
  await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
  await expect(dialog.getByText('Phone numbers in India have ten digits.')).toBeVisible();
  await expect(recipient).toBeFocused();
  await recipient.fill('98950 54321');
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await note.scrollIntoViewIfNeeded();
  await page.screenshot({ path: testInfo.outputPath('gift-note-360.png') });

  await page.goto('/shop');
  await openDetails(page);
  await expect(note).toBeVisible();
  await expect(note).toHaveValue(text);
  await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
  const sandbox = page
    .frameLocator('iframe[title="Razorpay sandbox"]')
    .getByRole('dialog', { name: 'Razorpay sandbox' });
  await sandbox.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.waitForURL(/\/order-success\?/u);

  const { data } = await supabaseAs('shop')
    .from('orders')
    .select('id')
    .eq('customer_email', customer.email)
    .single();
  const owner = await browser.newContext({
    baseURL: runningShop().url,
    viewport: { width: 360, height: 780 },
    storageState: { cookies: [], origins: [] },
  });
  const admin = await owner.newPage();
  await admin.goto(`/admin#orders/${String((data as { id: number }).id)}`);
  await logInAsAdmin(admin);
  await expect(admin.getByText('Gift note, printed on the slip')).toBeVisible();
  await expect(admin.getByText(text)).toBeVisible();
  await expect(admin.getByText('Lakshmi Nair')).toContainText('Phone 98950 54321');
  await expect(admin.getByText(/^A gift from Anjali Menon/u)).toBeVisible();
  await owner.close();
});
