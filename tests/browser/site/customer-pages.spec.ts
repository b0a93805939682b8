import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { openDetails } from '#tests/browser/checkout/checkout-steps.ts';
import { countShifts, untilDrawn } from '#tests/browser/support/page-state.ts';
import { cartLine } from '#tests/browser/catalogue/product-rows.ts';
import { demoCustomer } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { openSession, startWith } from '#tests/browser/account/customers.ts';
import { countTraffic } from '#tests/browser/support/traffic.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';

test('the details form of the checkout is accessible with its errors', async ({
  page,
  context,
  newProduct,
}) => {
  const [customer, product] = await Promise.all([openSession(demoCustomer()), newProduct()]);
  await startWith(context, { customer, cart: [cartLine(product)] });
  const dialog = await openDetails(page);
  // The profile fills the form, which is then one line.
  await dialog.getByRole('button', { name: 'Change the address' }).click();
  await expect(dialog.getByLabel('City', { exact: true })).not.toHaveValue('');
  await dialog.getByLabel('City', { exact: true }).fill('');
  await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
  await expect(dialog.getByText('City must be at least 2 characters')).toBeVisible();
  await expectAccessible(page, 'details form with errors');
});

test(
  'the pages that draw the customer’s own things do not move while they come',
  { tag: '@every-width' },
  async ({ page, context, newProduct, expectProblem }) => {
    // Nobody placed the order of this address.
    expectProblem(/404/u);
    const [customer, product] = await Promise.all([openSession(demoCustomer()), newProduct()]);
    await startWith(context, { customer, cart: [cartLine(product)] });
    const shifted = await countShifts(page);
    const traffic = await countTraffic(page);
    for (const [path, sign] of [
      ['/cart', 'Proceed to Checkout'],
      ['/profile', 'Edit Profile'],
      ['/order-success?order_id=order_AAAAAAAAAAAAAA&status=pending', 'Questions?'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByText(sign).first()).toBeVisible();
      await traffic.quiet();
      await untilDrawn(page);
      expect(await shifted(), path).toBeLessThan(0.01);
    }
  },
);

test(
  'the button that pays is in view as soon as the details form opens, with the total',
  { tag: '@every-width' },
  async ({ page, context, newProduct }) => {
    const [customer, product] = await Promise.all([openSession(demoCustomer()), newProduct()]);
    await startWith(context, { customer, cart: [cartLine(product)] });
    const dialog = await openDetails(page);
    const pay = dialog.getByRole('button', { name: 'Proceed to Payment' });
    await expect(pay).toBeInViewport({ ratio: 1 });
    const total = dialog.getByText(/^Total ₹[\d,.]+$/u).last();
    await expect(total).toBeInViewport({ ratio: 1 });
    await dialog.getByRole('button', { name: 'Change the address' }).click();
    // A field that gets the focus is never behind the foot.
    for (const name of ['Notes (optional)', 'Address']) {
      const field = dialog.getByLabel(name);
      await field.focus();
      const [box, foot] = await Promise.all([field.boundingBox(), pay.boundingBox()]);
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(foot?.y ?? 0);
    }
  },
);

test('on a phone the footer is no higher than a screen, and its lists unfold', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/about');
  const footer = page.getByRole('contentinfo');
  const box = await footer.boundingBox();
  expect(box?.height).toBeGreaterThan(200);
  // A long name takes lines of its own: that of the seller in the last line, that of the shop in the newsletter's sentence.
  const moreThan = (lines: number, words: RegExp): Promise<number> =>
    footer.getByText(words).evaluate((element, count) => {
      const { height } = element.getBoundingClientRect();
      return height - count * Number.parseFloat(getComputedStyle(element).lineHeight);
    }, lines);
  const moreLines = (await moreThan(1, /^©/u)) + (await moreThan(3, /^By subscribing/u));
  expect(box?.height).toBeLessThanOrEqual(740 + moreLines);
  await expect(footer.getByRole('link', { name: 'Shipping Policy' })).toBeVisible();
  await expect(footer.getByRole('link', { name: shopCategory(2).label })).toBeHidden();
  await footer.getByRole('heading', { name: 'Categories' }).click();
  await expect(footer.getByRole('link', { name: shopCategory(2).label })).toBeVisible();
});

test(
  'the categories open under Shop for a mouse and for keys, and Escape closes them',
  { tag: '@desktop' },
  async ({ page }) => {
    await page.goto('/about');
    const menu = page.getByRole('navigation', { name: 'Main' });
    const toShop = menu.getByRole('link', { name: 'Shop', exact: true });
    const kind = menu.getByRole('link', { name: shopCategory(2).label });
    await expect(kind).toBeHidden();
    await toShop.hover();
    await expect(kind).toBeVisible();
    await expectAccessible(page, 'the categories under Shop');
    await page.mouse.move(5, 600);
    await expect(kind).toBeHidden();
    await menu.getByRole('link', { name: 'Home' }).focus();
    await page.keyboard.press('Tab');
    await expect(toShop).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(
      menu.getByRole('link', { name: shopCategory(0).label, exact: true }),
    ).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(kind).toBeHidden();
    await page.keyboard.press('Enter');
    await kind.click();
    await expect(page).toHaveURL(`/shop?category=${shopCategory(2).slug}`);
  },
);

test('the menu of a phone has the categories', async ({ page }) => {
  await page.goto('/about');
  await page.getByLabel('Menu', { exact: true }).first().tap();
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await menu.getByRole('link', { name: shopCategory(3).label }).tap();
  await expect(page).toHaveURL(`/shop?category=${shopCategory(3).slug}`);
});
