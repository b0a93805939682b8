import { expect, test } from '#tests/browser/admin/admin-page.ts';
import { sell } from '#tests/browser/checkout/sale.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { overflowOf } from '#tests/browser/support/page-state.ts';

test('slips and labels are of the orders that are ticked, and of all again afterwards', async ({
  page,
  browser,
}) => {
  const [first, second] = [await sell(browser), await sell(browser)];
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/admin#orders?filter=to_pack');
  const slips = page.getByRole('link', { name: /^Print slips/u });
  await expect(slips).not.toHaveAttribute('href', /orders=/u);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.locator('summary', { hasText: 'Slips' }).click();
  await expect(slips).toBeHidden();
  for (const { id } of [first, second]) {
    const box = page.getByRole('checkbox', { name: `Choose order ${String(id)}` });
    while (!(await box.isVisible())) await page.getByRole('button', { name: 'Load more' }).click();
    await box.check();
  }
  const chosen = new RegExp(`orders=${String(first.id)}%2C${String(second.id)}`, 'u');
  await expect(slips).toHaveAttribute('href', chosen);
  await expect(page.getByRole('link', { name: /^Labels, thermal/u })).toHaveAttribute(
    'href',
    chosen,
  );
  await expectAccessible(page, 'orders being chosen');
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await page
    .getByRole('group', { name: 'Selected orders' })
    .getByRole('button', { name: 'Done' })
    .click();
  await expect(slips).not.toHaveAttribute('href', /orders=/u);
  await first.end();
  await second.end();
});
