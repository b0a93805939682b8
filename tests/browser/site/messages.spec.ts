import { addFromShop } from '../checkout/checkout-steps.ts';
import { expectAccessible } from '../support/accessible.ts';
import { expect, test } from '../support/shop.ts';

test('a message below the header moves the page while a heading would lie under it', async ({
  page,
}) => {
  await page.goto('/shop');
  const heading = page.getByRole('heading', { level: 1 });
  const before = await heading.boundingBox();
  await page
    .getByRole('button', { name: /^Add to Cart/u })
    .first()
    .click();
  const message = page.locator('.toast');
  await expect(message).toContainText('Added to cart!');
  await expect
    .poll(async () => {
      const [top, bottom] = [await heading.boundingBox(), await message.boundingBox()];
      return (top?.y ?? 0) - ((bottom?.y ?? 0) + (bottom?.height ?? 0));
    })
    .toBeGreaterThanOrEqual(0);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(async () => (await heading.boundingBox())?.y).toBe(before?.y);
});

test('a message that comes during a press moves the page after it, so that the press is not lost', async ({
  page,
}) => {
  await page.goto('/shop');
  const heading = page.getByRole('heading', { level: 1 });
  const add = page.getByRole('button', { name: /^Add to Cart/u }).first();
  await add.click();
  const message = page.locator('.toast');
  await expect(message).toContainText('Added to cart!');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(message).toHaveCount(0);
  const before = (await heading.boundingBox())?.y ?? 0;
  await heading.hover();
  await page.mouse.down();
  await add.press('Enter');
  await expect(message).toContainText('Added to cart!');
  // Two frames: by then it would have moved.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  expect((await heading.boundingBox())?.y).toBe(before);
  await page.mouse.up();
  await expect.poll(async () => (await heading.boundingBox())?.y).toBeGreaterThan(before);
});

test('what the page before had to say stands in the page, above its heading, until it is dismissed', async ({
  page,
}) => {
  await addFromShop(page, 'Chandrika Jimikki');
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  await expect(page).toHaveURL(/\/auth/u);
  const message = page.getByRole('main').getByRole('status').filter({ hasText: 'Login required' });
  await expect(message).toContainText('Please sign in to continue to payment.');
  const [above, heading] = [
    await message.boundingBox(),
    await page.getByRole('heading', { level: 1 }).boundingBox(),
  ];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(heading?.y ?? 0);
  await expectAccessible(page, 'a message of the page before');
  await message.getByRole('button', { name: 'Dismiss' }).click();
  await expect(message.getByText('Login required')).toHaveCount(0);
});
