import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { expect, findRow, openAdmin, openMore, test } from '#tests/browser/admin/admin-page.ts';

const newName = () => `Thread ${crypto.randomUUID().slice(0, 8)}`;

test('products are chosen for the home page with a star, put in order, and taken off', async ({
  page,
  newProduct,
}) => {
  const [first, second] = [
    await newProduct({ name: newName() }),
    await newProduct({ name: newName() }),
  ];
  await openAdmin(page);
  for (const { name } of [first, second]) {
    const star = (await findRow(page, name)).getByRole('button', {
      name: `Show ${name} on the home page`,
    });
    await star.press('Enter');
    await expectToast(page, 'On the home page');
    await expect(star).toHaveAttribute('aria-pressed', 'true');
  }
  // The search has been read: what is shown is dimmed until then.
  await expect(page.getByText('Showing 1 of 1 products')).toBeVisible();
  await openMore(page);
  await page.locator('summary').filter({ hasText: 'Home page' }).click();
  const places = page.getByRole('list', { name: 'Home page, in this order' }).getByRole('listitem');
  await expect(places).toContainText([first.name, second.name]);
  await expectAccessible(page, 'the choice of the home page');
  await page.getByRole('button', { name: `Move ${second.name} up` }).click();
  await expect(places).toContainText([second.name, first.name]);
  await page.reload();
  await page.locator('summary').filter({ hasText: 'Home page' }).click();
  await expect(places).toContainText([second.name, first.name]);
  for (const { name } of [first, second])
    await page.getByRole('button', { name: `Take ${name} off the home page` }).click();
  await expect(places).toHaveCount(0);
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
});
