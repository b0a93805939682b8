import { expectAccessible } from '../../browser/support/accessible.ts';
import { expect, test } from '../../browser/support/shop.ts';

test.use({ serviceWorkers: 'allow' });

test('without a connection a page says that the cart is safe, and opens as soon as there is one', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/ERR_INTERNET_DISCONNECTED|503/u);
  await page.goto('/');
  await page.keyboard.press('Tab');
  await page.waitForFunction(async () => {
    const { active } = await navigator.serviceWorker.ready;
    return active?.state === 'activated';
  });
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
