import type { Page } from '@playwright/test';
import { logInAsAdmin } from '#tests/browser/admin/admin-page.ts';
import { sell } from '#tests/browser/checkout/sale.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';
import { expect, test } from '#tests/browser/support/shop.ts';

test.use({ serviceWorkers: 'allow' });

async function workerIsReady(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    const { active } = await navigator.serviceWorker.ready;
    return active?.state === 'activated';
  });
}

/** The stored copy of the owner's page, '' for none. */
const storedCopy = (page: Page): Promise<string> =>
  page.evaluate(async () => (await (await caches.match('/admin'))?.text()) ?? '');

test('without a connection a page says that the cart is safe, and opens as soon as there is one', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/ERR_INTERNET_DISCONNECTED|503/u);
  await page.goto('/');
  await page.keyboard.press('Tab');
  await workerIsReady(page);
  await context.setOffline(true);
  await page.goto('/about');
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await expect(page.getByText('Your cart is safe')).toBeVisible();
  await expectAccessible(page, 'the page without a connection');
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page).toHaveURL('/about');
  await expect(page.getByRole('navigation', { name: 'Quick Links' })).toBeVisible();
});

test('without a connection the owner reads orders to pack and stock as they stood, until the session ends; a logout takes them off the device', async ({
  page,
  context,
  browser,
  expectProblem,
}) => {
  expectProblem(/ERR_INTERNET_DISCONNECTED|503|401|could not be|Failed to/u);
  const sale = await sell(browser);
  await page.goto('/admin#today');
  await logInAsAdmin(page);
  await workerIsReady(page);
  await expect.poll(() => storedCopy(page)).toContain(sale.customerName);

  await context.setOffline(true);
  await expect(page.getByText('You are offline. What is open here stays.')).toBeVisible();
  await page.getByRole('button', { name: 'Read orders to pack and stock' }).click();
  await expect(page.getByText(/This is how things stood at \d+:\d\d\s[ap]m/u)).toBeVisible();
  const order = page.getByRole('region', { name: `Order ${String(sale.id)}` });
  await expect(order).toContainText('14 Temple Road');
  await expect(order).toContainText(`2 × ${sale.ring.name}`);
  await expect(order.getByRole('link')).toHaveAttribute('href', 'tel:+919847012345');
  await expectAccessible(page, 'the owner’s page without a connection');
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);

  // The session runs out while the page is open.
  await page.evaluate(async () => {
    const cache = await caches.open('admin-copy');
    const copy = await cache.match('/admin');
    const headers = new Headers(copy?.headers);
    headers.set('expires', new Date(Date.now() + 3_000).toUTCString());
    await cache.put('/admin', new Response(await copy?.text(), { headers }));
  });
  await page.reload();
  await expect(page.getByText('Your cart is safe')).toBeVisible();
  expect(await storedCopy(page)).toBe('');

  await context.setOffline(false);
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect.poll(() => storedCopy(page)).toContain(sale.customerName);

  // On a device with notifications the page has their worker.
  await page.evaluate(async () => {
    const { installing } = await navigator.serviceWorker.register('/admin-worker.js', {
      scope: '/admin',
    });
    await new Promise<void>((resolve) => {
      installing?.addEventListener('statechange', () => {
        if (installing.state === 'activated') resolve();
      });
    });
  });
  await context.setOffline(true);
  await page.reload();
  await expect(order).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect.poll(() => storedCopy(page)).toContain(sale.customerName);
  // Without a connection the session cannot end, and the copy is gone all the same.
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByText('Not logged out')).toBeVisible();
  await expect.poll(() => storedCopy(page)).toBe('');
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  await expect.poll(() => storedCopy(page)).toBe('');
  await sale.end();
});
