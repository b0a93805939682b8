import { budgets, expectWithinBudget } from '#tests/browser/support/budgets.ts';
import { runningShop } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { countTraffic } from '#tests/browser/support/traffic.ts';

test.use({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 });

/** The address of the first product in the shop. */
async function firstProduct(): Promise<string> {
  const html = await (await fetch(`${runningShop().url}/shop`)).text();
  const [address] = /\/product\/[\da-f-]{36}/u.exec(html) ?? [];
  if (address === undefined) throw new Error('The shop shows no product');
  return address;
}

for (const path of ['/', '/shop', '/product', '/about', '/returns', '/contact'] as const) {
  test(`a first visit to ${path} stays within its bytes and requests`, async ({ page }) => {
    const address = path === '/product' ? await firstProduct() : path;
    await expectWithinBudget(page, address, budgets[path]);
  });
}

test('the login form of the owner’s page asks for less than 78 KB of JavaScript', async ({
  page,
}) => {
  const traffic = await countTraffic(page, { onFast4g: true });
  await page.goto('/admin');
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible();
  await traffic.quiet();
  const scripts = (traffic.bytes.get('script') ?? 0) / 1024;
  console.log(`/admin: script ${scripts.toFixed(1)} KiB`);
  expect(scripts, 'scripts were counted').toBeGreaterThan(10);
  expect(scripts).toBeLessThan(78);
});
