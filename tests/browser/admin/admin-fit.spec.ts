import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { shop } from '#settings/shop.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';
import { sell } from '#tests/browser/checkout/sale.ts';
import { insertRows } from '#tests/browser/support/running-shop.ts';
import { overflowOf, untilDrawn } from '#tests/browser/support/page-state.ts';
import { openOrder } from './orders/admin-orders.ts';
import { expect, findRow, openAdmin, openNewProduct, test } from './admin-page.ts';

const widths = [320, 360, 412] as const;

/** Where an element is drawn on the screen. */
async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error('It is not drawn');
  return box;
}

/** Runs a check at each width of a phone, on the page as it is open. */
async function atEachWidth(page: Page, check: (width: number) => Promise<void>): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 780 });
    await untilDrawn(page);
    await check(width);
  }
}

/** Whether two boxes share a pixel. */
const overlap = (a: Awaited<ReturnType<typeof boxOf>>, b: typeof a): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test('no view of the owner’s page is wider than a phone, with all counts loaded, and a message covers neither title, fields nor buttons of a dialog', async ({
  page,
  browser,
}) => {
  const mark = `k${randomUUID().slice(0, 7)}`;
  const sale = await sell(browser);
  await insertRows('contact_messages', [
    { name: `Devika ${mark}`, email: `d-${mark}@kasavu.example`, message: 'Hello' },
  ]);
  await insertRows(
    'form_entries',
    [1, 2].map((n) => ({ form: 'order', fields: { name: `Meera ${String(n)} ${mark}` } })),
  );
  await insertRows('subscribers', [
    {
      email: `r-${mark}@kasavu.example`,
      consent_text: 'You agree.',
      confirmed_at: new Date().toISOString(),
    },
  ]);
  const views = {
    '#today': page.getByText(/Sold today/u),
    '#': page.getByRole('table', { name: 'Products' }),
    '#more': page.getByRole('button', { name: 'Import, export' }),
    '#orders': page.getByRole('button', { name: /^To pack \d/u }),
    [`#orders/${String(sale.id)}`]: page.getByRole('heading', { name: 'Deliver to' }),
    '#customers': page.getByText(sale.customerName),
    '#figures': page.getByRole('heading', { name: 'Best sellers' }),
    '#inbox': page.getByRole('link', { name: /^Newsletter \d+ addresses/u }),
    '#inbox/forms': page.getByText(`Meera 2 ${mark}`).first(),
    '#inbox/subscribers': page.getByText(`r-${mark}@kasavu.example`),
  };
  for (const [hash, loaded] of Object.entries(views)) {
    await page.goto(`/admin${hash}`);
    await expect(loaded).toBeVisible();
    await expect(page.getByRole('link', { name: /^More \d+ to answer/u })).toBeVisible();
    await atEachWidth(page, async (width) => {
      expect(await overflowOf(page), `${hash} at ${String(width)} px`).toBeLessThanOrEqual(0);
    });
  }

  await openOrder(page, sale);
  // The message stays until it is measured.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Mark packed' }).click();
  await expect(page.getByRole('button', { name: 'Undo ‘Packed’' })).toBeVisible();
  await page.getByRole('button', { name: 'Mark shipped' }).click();
  const ship = page.getByRole('dialog', { name: `Ship order ${String(sale.id)}` });
  const toast = ship.locator('.toast');
  await expect(toast).toBeVisible();
  for (const width of widths) {
    // The screen is so low that the dialog has no room beside its fields.
    await page.setViewportSize({ width, height: 640 });
    const message = await boxOf(toast);
    const parts = [
      ...(await ship.getByRole('heading').all()),
      ...(await ship.getByRole('textbox').all()),
      ...(await ship.getByRole('button', { name: /^(?!Dismiss)/u }).all()),
    ];
    expect(parts.length).toBeGreaterThan(5);
    const seen = await boxOf(ship.locator('> div').first());
    const foot = await boxOf(ship.getByRole('button', { name: 'Mark shipped' }));
    expect(foot.y - (seen.y + seen.height), 'between the fields and the foot').toBeLessThan(20);
    for (const part of parts) {
      const box = await boxOf(part);
      // An element that is scrolled out of the dialog is covered by nothing.
      const visible = {
        ...box,
        height: Math.min(box.y + box.height, seen.y + seen.height) - box.y,
      };
      expect(
        visible.height > 0 && overlap(message, visible),
        `${await part.innerText()} at ${String(width)} px`,
      ).toBe(false);
    }
  }
  await page.clock.resume();
  await sale.end();
});

test('on a phone the owner’s page is the shop’s name and nothing else of the shop, stock stands in one line, and a dialog’s title stays in sight', async ({
  page,
  newProduct,
}) => {
  const product = await newProduct({
    name: `Mala ${randomUUID().slice(0, 8)}`,
    category: shopCategory(1).slug,
    stock: 1200,
    offerPrice: 1000,
  });
  await openAdmin(page);
  await test.step('the head of the page', async () => {
    await expect(page.getByRole('link', { name: `${shop.name}, home` })).toHaveAttribute(
      'href',
      '/',
    );
    await expect(page.getByRole('link', { name: 'Cart' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Subscribe' })).toHaveCount(0);
    await expect(page.getByRole('contentinfo')).toHaveCount(0);
    await atEachWidth(page, async (width) => {
      await expect(
        page.getByRole('button', { name: 'Logout', exact: true }),
        `at ${String(width)} px`,
      ).toBeInViewport({ ratio: 1 });
      expect(
        (await boxOf(page.getByRole('heading', { level: 1 }))).y,
        `at ${String(width)} px`,
      ).toBeLessThan(110);
    });
  });
  await test.step('stock beside its category', async () => {
    await page.getByLabel('Search', { exact: true }).fill(product.name);
    const badge = page.getByText('1200 units');
    await atEachWidth(page, async (width) => {
      expect((await boxOf(badge)).height, `the badge at ${String(width)} px`).toBeLessThan(30);
      expect(await overflowOf(page), `the list at ${String(width)} px`).toBeLessThanOrEqual(0);
    });
  });
  await test.step('the title of a dialog', async () => {
    const dialog = await openNewProduct(page);
    const title = dialog.getByRole('heading', { name: 'Add Product' });
    await atEachWidth(page, async (width) => {
      await dialog.getByText('More details').scrollIntoViewIfNeeded();
      await dialog.getByLabel('Stock').scrollIntoViewIfNeeded();
      await dialog.getByText('More details').scrollIntoViewIfNeeded();
      await expect(title, `at ${String(width)} px`).toBeInViewport({ ratio: 1 });
      await expect(
        dialog.getByRole('button', { name: 'Close' }).first(),
        `at ${String(width)} px`,
      ).toBeInViewport({ ratio: 1 });
      const save = await boxOf(dialog.getByRole('button', { name: 'Save' }));
      expect(780 - (save.y + save.height), `below 'Save' at ${String(width)} px`).toBeLessThan(20);
    });
  });
});

test(
  'the price before an offer keeps its distance from the stock',
  { tag: '@desktop' },
  async ({ page, newProduct }) => {
    const { name } = await newProduct({
      name: `Mala ${randomUUID().slice(0, 8)}`,
      price: 2000,
      offerPrice: 400,
      stock: 35,
    });
    await openAdmin(page);
    const row = await findRow(page, name);
    for (const width of [1440, 820]) {
      await page.setViewportSize({ width, height: 900 });
      const stock = await boxOf(row.getByText('35 units'));
      const price = await boxOf(row.getByText('₹2,000.00'));
      expect(stock.x - (price.x + price.width), `at ${String(width)} px`).toBeGreaterThanOrEqual(8);
    }
  },
);

test('the message about a deleted product lies over no button of the product that is searched next', async ({
  page,
  newProduct,
}) => {
  const [gone, next] = [
    await newProduct({ name: `Gone ${randomUUID().slice(0, 8)}` }),
    await newProduct({ name: `Next ${randomUUID().slice(0, 8)}` }),
  ];
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 820, height: 740 },
  ]) {
    await page.setViewportSize(viewport);
    await openAdmin(page);
    const row = await findRow(page, gone.name);
    await row.getByRole('button', { name: `Delete ${gone.name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    const toast = page.locator('.toast').filter({ hasText: gone.name });
    await expect(toast).toBeVisible();
    const buttons = (await findRow(page, next.name)).getByRole('button');
    await untilDrawn(page);
    const message = await boxOf(toast);
    const boxes = await Promise.all((await buttons.all()).map(boxOf));
    expect(boxes.length).toBeGreaterThan(3);
    for (const box of boxes) expect(overlap(message, box)).toBe(false);
    await toast.getByRole('button', { name: 'Undo' }).click();
    await expect(page.locator('.toast').filter({ hasText: 'Brought back' })).toBeVisible();
  }
});
