import { customerMarks } from '../../../src/domain/browsers.ts';
import { expect, test } from '../support/shop.ts';

test('a browser below the line gets the pages as without JavaScript, and one sentence', async ({
  page,
  expectProblem,
}) => {
  // The policy that stops the scripts is reported for each of them.
  expectProblem(/Content Security Policy|csp$/iu);
  await page.addInitScript((marks) => {
    for (const mark of marks) Reflect.deleteProperty(window, mark);
  }, customerMarks);
  await page.goto('/cart');
  await expect(page.getByRole('note')).toContainText('This browser is too old');
  await expect(page.getByText('The cart and the payment need JavaScript.')).toBeVisible();
  await page.goto('/shop');
  await expect(page.getByRole('navigation', { name: 'All categories' })).toBeVisible();
  // No script of the page has run.
  expect(await page.evaluate(() => customElements.get('site-header') === undefined)).toBe(true);
  await page.getByRole('link', { name: 'Rings', exact: true }).last().click();
  await expect(page).toHaveURL(/rings/u);
});
