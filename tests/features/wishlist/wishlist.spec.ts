import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { countShifts, overflowOf, untilScripted } from '#tests/browser/support/page-state.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { createCustomer, type Credentials } from '#tests/browser/account/customers.ts';

const heart = (page: Page, name: string) =>
  page.getByRole('button', { name: `Add ${name} to wishlist`, exact: true });
const names = (page: Page) => page.locator('wishlist-page [data-cards] [data-name]');

async function press(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await untilScripted(page);
  await expect(heart(page, name)).toHaveAttribute('aria-pressed', 'false');
  await heart(page, name).click();
  await expect(heart(page, name)).toHaveAttribute('aria-pressed', 'true');
}

async function logIn(page: Page, { email, password }: Credentials, next: string): Promise<void> {
  await page.goto(`/auth?next=${next}`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL(next);
}

/** The response to the next request of this method for the account's wishlist. */
const answered = (page: Page, method: 'GET' | 'DELETE') =>
  page.waitForResponse(
    (response) =>
      response.url().includes('/rest/v1/wishlists') && response.request().method() === method,
  );

test('a customer adds products to the wishlist, sees current price and stock, and removes and restores one', async ({
  page,
  newProduct,
  isMobile,
}) => {
  const [soldOut, bangle] = await Promise.all([
    newProduct({ name: 'Sold Out Bangle', stock: 0 }),
    newProduct({ name: 'Kept Bangle', price: 1500 }),
  ]);
  await press(page, '/shop?q=Muthu', 'Muthu Embrace Ring');
  await expectToast(page, 'Added to wishlist', 'Muthu Embrace Ring', 'View');
  await press(page, `/product/${soldOut.id}`, soldOut.name);
  await press(page, `/product/${bangle.id}`, bangle.name);
  await page.reload();
  await expect(heart(page, bangle.name), 'shown again from what is stored').toHaveAttribute(
    'aria-pressed',
    'true',
  );

  const shifted = await countShifts(page);
  // The header of a product's page on a phone has the search in its place.
  if (isMobile) await page.getByLabel('Menu', { exact: true }).filter({ visible: true }).click();
  await page.getByRole('link', { name: 'Wishlist' }).filter({ visible: true }).first().click();
  await expect(names(page)).toHaveText([bangle.name, soldOut.name, 'Muthu Embrace Ring']);
  const cards = page.locator('wishlist-page [data-cards] > li');
  await expect(cards.nth(0)).toContainText('₹1,500.00');
  await expect(cards.nth(0).getByText('Sold out', { exact: true })).toBeHidden();
  await expect(cards.nth(1).getByText('Sold out', { exact: true })).toBeVisible();
  await expect(cards.nth(1).getByRole('button', { name: /Cart|Stock/u })).toHaveCount(0);
  expect(await shifted(), 'cumulative layout shift').toBeLessThan(0.01);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page, 'a filled wishlist');
  await cards
    .nth(0)
    .getByRole('button', { name: `Add to Cart: ${bangle.name}` })
    .click();
  await expectToast(page, 'Added to cart!');

  await heart(page, soldOut.name).press('Enter');
  await expect(names(page)).toHaveText([bangle.name, 'Muthu Embrace Ring']);
  await expect(heart(page, 'Muthu Embrace Ring'), 'the focus goes on to the next').toBeFocused();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect(names(page)).toHaveText([bangle.name, soldOut.name, 'Muthu Embrace Ring']);
  await page.getByRole('link', { name: `Tell me when it is back: ${soldOut.name}` }).click();
  await expect(
    page.getByRole('form', { name: 'Tell me when it is back' }).getByLabel('Your e-mail address'),
  ).toBeInViewport();
});

test('at login the wishlists of device and account become one, on every device, and at logout the device forgets it', async ({
  page,
  browser,
  newProduct,
}) => {
  const [ring, chain] = await Promise.all([
    newProduct({ name: 'Ring For Later' }),
    newProduct({ name: 'Chain For Later' }),
  ]);
  const customer = await createCustomer({ withPassword: true });
  await press(page, `/product/${ring.id}`, ring.name);
  await logIn(page, customer, '/wishlist');
  await expect(names(page)).toHaveText([ring.name]);
  await expect(page.getByText('Kept with your account')).toBeVisible();

  const context = await browser.newContext();
  const other = await context.newPage();
  await press(other, `/product/${chain.id}`, chain.name);
  await logIn(other, customer, '/wishlist');
  await expect(names(other)).toHaveText([chain.name, ring.name]);
  const removed = answered(other, 'DELETE');
  await heart(other, ring.name).click();
  await removed;
  await context.close();

  // Each load reads the account's list: another device may have changed it a moment ago.
  for (const load of ['first', 'second']) {
    const read = answered(page, 'GET');
    await page.reload();
    expect((await read).status(), `the ${load} load`).toBe(200);
  }
  await expect(names(page)).toHaveText([chain.name]);
  await page.getByLabel('Menu', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Logout' }).filter({ visible: true }).click();
  await page.waitForURL('/');
  await page.goto('/wishlist');
  await expect(page.getByText('Nothing kept yet')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('kasavu:wishlist'))).toBeNull();
  await logIn(page, customer, '/wishlist');
  await expect(names(page)).toHaveText([chain.name]);
});
