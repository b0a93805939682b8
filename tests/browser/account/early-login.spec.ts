import type { Page } from '@playwright/test';
import { demoCustomer, runningShop } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { createCustomer, startWith } from './customers.ts';

/** Holds back the page's scripts until the returned function is called, as a slow network does. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/_astro/*.js', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test('a login that is typed and sent before the script comes is kept, and logs in', async ({
  page,
}) => {
  const release = await holdScripts(page);
  await page.goto('/auth?next=%2Fwishlist', { waitUntil: 'commit' });
  const { email, password } = demoCustomer();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL('/auth?next=%2Fwishlist');
  release();
  await page.waitForURL('/wishlist');
});

test('the last of several presses before the script comes is kept', async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto('/auth', { waitUntil: 'commit' });
  await page.getByLabel('Email', { exact: true }).fill('devika@example.com');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await page.getByRole('button', { name: "Don't have an account? Sign up" }).click();
  release();
  await expect(page.getByRole('heading', { name: 'Sign Up' })).toBeVisible();
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('devika@example.com');
  await expect(page.getByText('Password must be at least 6 characters')).toBeHidden();
});

test('the owner’s password is kept, too', async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto('/admin', { waitUntil: 'commit' });
  await page.getByLabel('Password', { exact: true }).fill(runningShop().adminPassword);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL('/admin');
  release();
  await expectToast(page, 'Welcome', 'Logged in as admin.');
});

test('a signed-in customer sees no login while the script is on its way', async ({
  page,
  context,
}) => {
  await startWith(context, { customer: await createCustomer() });
  await page.goto('/wishlist');
  const release = await holdScripts(page);
  for (const path of ['/auth?next=%2Fwishlist', '/admin']) {
    if (path === '/admin')
      await page.evaluate(() => {
        localStorage.setItem('kasavu:admin', '1');
      });
    await page.goto(path, { waitUntil: 'commit' });
    const form = page.locator('.first-state form');
    await expect(form).toHaveCount(1);
    await expect(form).toBeHidden();
  }
  release();
});

test('the form is not there without scripts, and a sentence says why', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  for (const [path, sentence] of [
    ['/auth', 'Signing in needs JavaScript.'],
    ['/admin', 'The owner’s page needs JavaScript.'],
  ] as const) {
    await page.goto(path);
    // Playwright's getByText leaves `noscript` out.
    await expect(page.locator('main noscript p')).toHaveText(sentence);
    await expect(page.locator('main noscript p')).toBeVisible();
    await expect(page.locator('main form')).toHaveCount(1);
    await expect(page.locator('main form')).toBeHidden();
  }
  await context.close();
});
