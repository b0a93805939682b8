import type { Page } from '@playwright/test';
import { createCustomer, startWith } from '#tests/browser/account/customers.ts';
import { addressOf, cartLine } from '#tests/browser/catalogue/product-rows.ts';
import { filterButton } from '#tests/browser/support/listing-fields.ts';
import { countShifts, untilDrawn } from '#tests/browser/support/page-state.ts';
import { expect, test } from '#tests/browser/support/shop.ts';

const entries = (page: Page): Promise<number> => page.evaluate(() => history.length);
const back = (page: Page): Promise<void> =>
  page.evaluate(() => {
    history.back();
  });

/** Whether the present entry of the history belongs to an open sheet. */
const isSheetEntry = (page: Page): Promise<boolean> =>
  page.evaluate(() => (Object(history.state) as { sheet?: number }).sheet !== undefined);

interface Sheet {
  name: string;
  /** Opens its page and returns how the sheet is opened there. */
  open: (page: Page) => Promise<() => Promise<void>>;
}

const sheets: readonly Sheet[] = [
  {
    name: 'the size guide',
    open: async (page) => {
      await page.goto(await addressOf('Palakka Mothiram'));
      await untilDrawn(page);
      return () =>
        page
          .getByRole('link', { name: /size guide/iu })
          .first()
          .click();
    },
  },
  {
    name: 'the large image',
    open: async (page) => {
      await page.goto(await addressOf('Palakka Mala'));
      await untilDrawn(page);
      return () => page.getByRole('link', { name: 'Enlarge picture 1' }).click();
    },
  },
  {
    name: 'the filters',
    open: async (page) => {
      await page.goto('/shop');
      await untilDrawn(page);
      return () => filterButton(page).click();
    },
  },
];

const dialogOf = (page: Page) => page.getByRole('dialog').filter({ visible: true });

for (const { name, open } of sheets)
  test(`Back closes ${name} and stays on the page; closed otherwise, it leaves no entry in the history`, async ({
    page,
  }) => {
    const show = await open(page);
    const address = page.url();
    await show();
    await expect(dialogOf(page)).toHaveCount(1);
    await expect.poll(() => isSheetEntry(page)).toBe(true);
    const count = await entries(page);
    await back(page);
    await expect(dialogOf(page)).toHaveCount(0);
    expect(page.url()).toBe(address);
    expect(await isSheetEntry(page)).toBe(false);

    await show();
    await expect(dialogOf(page)).toHaveCount(1);
    await expect.poll(() => isSheetEntry(page)).toBe(true);
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toHaveCount(0);
    await expect.poll(() => isSheetEntry(page)).toBe(false);
    expect(page.url()).toBe(address);
    expect(await entries(page)).toBe(count);
  });

test('what is chosen in the sheet of filters is one entry of the history, which Back takes back with the sheet', async ({
  page,
}) => {
  await page.goto('/shop');
  await untilDrawn(page);
  await filterButton(page).click();
  const boxes = dialogOf(page).getByRole('checkbox');
  await expect.poll(() => isSheetEntry(page)).toBe(true);
  await boxes.nth(0).check();
  await expect(page).toHaveURL(/\/shop\?/u);
  const count = await entries(page);
  await dialogOf(page)
    .getByRole('button', { name: /^Show \d+ product/u })
    .click();
  await expect(dialogOf(page)).toHaveCount(0);
  await expect.poll(() => isSheetEntry(page)).toBe(false);
  await expect(page).toHaveURL(/\/shop\?/u);
  expect(await entries(page)).toBe(count);
  await back(page);
  await expect(page).toHaveURL('/shop');
});

test('Back closes the details of an order and leaves the cart as it is', async ({
  page,
  context,
  newProduct,
}) => {
  const [customer, product] = await Promise.all([createCustomer(), newProduct()]);
  await startWith(context, { customer, cart: [cartLine(product)] });
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  const details = page.getByRole('dialog', { name: 'Contact Information' });
  await expect(details).toBeVisible();
  await expect.poll(() => isSheetEntry(page)).toBe(true);
  await back(page);
  await expect(details).toBeHidden();
  await expect(page).toHaveURL('/cart');
  await expect(page.getByRole('button', { name: 'Proceed to Checkout' })).toBeVisible();
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  await expect.poll(() => isSheetEntry(page)).toBe(true);
  await details.getByRole('button', { name: 'Close' }).first().click();
  await expect.poll(() => isSheetEntry(page)).toBe(false);
});

test('the sheet of filters stands where it opens, with the number of products on its button', async ({
  page,
}) => {
  const shifted = await countShifts(page);
  await page.goto('/shop');
  await untilDrawn(page);
  // The index comes late.
  const late = Promise.withResolvers<undefined>();
  await page.route(/\/_astro\/catalogue\./u, async (route) => {
    await late.promise;
    await route.continue();
  });
  await filterButton(page).click();
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('button', { name: /^Show \d+ products$/u })).toBeVisible();
  const before = await dialog.boundingBox();
  late.resolve(undefined);
  await expect(dialog.getByRole('checkbox').first()).toBeVisible();
  expect(await dialog.boundingBox()).toEqual(before);
  await expect(dialog.getByRole('group', { name: 'Size' })).toBeVisible();
  expect(await shifted(), 'cumulative layout shift').toBeLessThan(0.01);
});
