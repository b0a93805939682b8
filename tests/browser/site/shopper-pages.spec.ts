import { expectAccessible } from '../support/accessible.ts';
import { openDetails } from '../checkout/checkout-steps.ts';
import { countShifts, untilDrawn } from '../support/page-state.ts';
import { cartLine } from '../catalogue/product-rows.ts';
import { runningShop } from '../support/running-shop.ts';
import { expect, test } from '../support/shop.ts';
import { openSession, startWith } from '../account/shoppers.ts';
import { countTraffic } from '../support/traffic.ts';

test('the details form of the checkout is accessible with its errors', async ({
  page,
  context,
  newProduct,
}) => {
  const [shopper, product] = await Promise.all([openSession(runningShop().shopper), newProduct()]);
  await startWith(context, { shopper, cart: [cartLine(product)] });
  const dialog = await openDetails(page);
  // The profile fills the form a moment after it opens.
  await expect(dialog.getByLabel('City', { exact: true })).not.toHaveValue('');
  await dialog.getByLabel('City', { exact: true }).fill('');
  await dialog.getByRole('button', { name: 'Proceed to Payment' }).click();
  await expect(dialog.getByText('City must be at least 2 characters')).toBeVisible();
  await expectAccessible(page, 'details form with errors');
});

test(
  'the pages that draw the shopper’s own things do not move while they come',
  { tag: '@every-width' },
  async ({ page, context, newProduct, expectProblem }) => {
    // Nobody placed the order of this address.
    expectProblem(/404/u);
    const [shopper, product] = await Promise.all([
      openSession(runningShop().shopper),
      newProduct(),
    ]);
    await startWith(context, { shopper, cart: [cartLine(product)] });
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
