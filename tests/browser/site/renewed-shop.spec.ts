import type { Page } from '@playwright/test';
import { createCustomer, newCredentials, startWith } from '#tests/browser/account/customers.ts';
import { expect, test } from '#tests/browser/support/shop.ts';

const renewed = 'The shop has been renewed';

/**
 * What the server has after a deploy: none of the script files `gone` that the page at `path` needs, and another page there. Loading it
 * brings working files; where it is not open yet, loading it for the second time.
 */
async function deploy(page: Page, path: string, gone = '**/_astro/*.js*'): Promise<void> {
  await page.route(gone, (route) => route.fulfill({ status: 404 }));
  const renewedAt = page.url().endsWith(path) ? 1 : 2;
  let loads = 0;
  await page.route(`**${path}`, async (route) => {
    if (route.request().resourceType() === 'fetch') {
      const body = '<script type="module" src="/_astro/other.js"></script>';
      await route.fulfill({ contentType: 'text/html', body });
      return;
    }
    loads += 1;
    if (loads === renewedAt) await page.unroute(gone);
    await route.continue();
  });
}

/** Whether the page that is open was loaded again. */
const isReloaded = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('navigation')
      .some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'reload'),
  );

test.beforeEach(({ expectProblem }) => {
  expectProblem(/404|Failed to load resource|Failed to fetch dynamically|Error hydrating/u);
});

test('a page that needs a file of the deploy before loads again by itself, once', async ({
  page,
  context,
}) => {
  await startWith(context, { customer: await createCustomer() });
  await page.goto('/profile');
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
  await deploy(page, '/profile');
  const loaded = page.waitForEvent('load');
  await page.getByRole('tab', { name: 'Orders' }).click();
  await loaded;
  expect(await isReloaded(page)).toBe(true);
  await page.getByRole('tab', { name: 'Orders' }).click();
  await expect(page.getByText('No orders yet')).toBeVisible();
  await expect(page.getByText(renewed)).toHaveCount(0);
});

test('a page whose files are missing after it was loaded again offers the button, and never shows an address', async ({
  page,
  context,
}) => {
  await startWith(context, { customer: await createCustomer() });
  await page.goto('/profile');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
  await deploy(page, '/profile');
  await page.getByRole('tab', { name: 'Orders' }).click();
  await expect(page.getByRole('status').getByText(renewed)).toBeVisible();
  await expect(page.getByText(/_astro|Failed to fetch/u)).toHaveCount(0);
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expect(page.getByText(renewed)).toHaveCount(0);
  await page.getByRole('tab', { name: 'Orders' }).click();
  await expect(page.getByText('No orders yet')).toBeVisible();
});

test('a page with typed text is not loaded again before a press', async ({ page }) => {
  const { email, password } = newCredentials();
  await deploy(page, '/auth', '**/_astro/submit-auth.*.js*');
  // The form's script comes when the text is there: it fetches what is gone by itself.
  const typed = Promise.withResolvers<undefined>();
  await page.route('**/_astro/AuthForm.*.js*', async (route) => {
    await typed.promise;
    await route.continue();
  });
  await page.goto('/auth', { waitUntil: 'commit' });
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  typed.resolve(undefined);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByRole('status').getByText(renewed)).toBeVisible();
  await expect(page.getByText(/_astro|Failed to fetch/u)).toHaveCount(0);
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
  expect(await isReloaded(page)).toBe(false);
});

test('an island whose file is gone brings the new page', async ({ page }) => {
  await deploy(page, '/cart', '**/_astro/CartPage.*.js*');
  await page.goto('/cart');
  await expect(page.getByText('Your cart is empty')).toBeVisible();
  expect(await isReloaded(page)).toBe(true);
});

test('without a connection a page stays, and says what to do', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/ERR_INTERNET_DISCONNECTED/u);
  await startWith(context, { customer: await createCustomer() });
  await page.goto('/profile');
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('tab', { name: 'Orders' }).click();
  await expect(page.getByText('Please check your connection and reload the page.')).toBeVisible();
  await expect(page.getByText(renewed)).toHaveCount(0);
  await context.setOffline(false);
  expect(await isReloaded(page)).toBe(false);
});

test('a message of the page before whose code does not load waits for the next page', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/ERR_INTERNET_DISCONNECTED/u);
  const part = '**/_astro/page-messages.*.js*';
  await page.goto('/about');
  await page.evaluate(() => {
    const message = { title: 'Signed out successfully', until: Date.now() + 60_000 };
    sessionStorage.setItem('kasavu:toasts', JSON.stringify([message]));
  });
  await page.route(part, (route) => route.abort('internetdisconnected'));
  const failed = page.waitForEvent('requestfailed');
  await page.goto('/contact');
  await failed;
  await page.unroute(part);
  await page.goto('/about');
  await expect(page.getByText('Signed out successfully')).toBeVisible();
});
