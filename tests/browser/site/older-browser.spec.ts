import { customerMarks } from '#domain/browsers.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';

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
  const note = page.getByRole('note');
  await expect(note).toContainText('This browser is too old');
  // Its lines stand below the header, which is fixed.
  const [header, lines] = await page.evaluate(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector('[data-older-browser]') ?? document);
    return [
      document.querySelector('header')?.getBoundingClientRect().bottom ?? Infinity,
      range.getBoundingClientRect().top,
    ];
  });
  expect(lines).toBeGreaterThanOrEqual(header);
  await expect(page.getByText('The cart and the payment need JavaScript.')).toBeVisible();
  await page.goto('/shop');
  await expect(page.getByRole('navigation', { name: 'All categories' })).toBeVisible();
  // No script of the page has run.
  expect(await page.evaluate(() => customElements.get('site-header') === undefined)).toBe(true);
  const { label, slug } = shopCategory(0);
  await page.getByRole('link', { name: label, exact: true }).last().click();
  await expect(page).toHaveURL(`/shop/${slug}`);
});
