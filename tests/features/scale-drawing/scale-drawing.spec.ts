import { addressOf } from '#tests/browser/catalogue/product-rows.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';

test('the drawing beside the details has the product in its measures', async ({ page }) => {
  await page.goto(await addressOf('Chandrika Jimikki'));
  const drawing = page.getByRole('img', {
    name: new RegExp(`^The ${shopCategory(3).one} drawn to scale`, 'u'),
  });
  await expect(drawing).toHaveAccessibleName(/49 mm high and 21 mm wide/);
  const box = await drawing.locator('.scale-product').evaluate((product: SVGPathElement) => {
    const { width, height } = product.getBBox();
    return { width, height };
  });
  expect(box.height).toBeCloseTo(49, 1);
  expect(box.width).toBeCloseTo(21, 1);
});
