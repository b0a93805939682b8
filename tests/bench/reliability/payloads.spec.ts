import type { BrowserContext, Page } from '@playwright/test';
import { createCustomer, startWith } from '#tests/browser/account/customers.ts';
import { cartLine } from '#tests/browser/catalogue/product-rows.ts';
import { untilScripted } from '#tests/browser/support/page-state.ts';
import { adminStateFile, runningShop } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '@playwright/test';
import { reportFigures } from '#tests/figures.ts';
import { rebuild } from '#tests/bench/support/embedded-stack.ts';
import { fieldCount, plant, type Planted } from './payload-rows.ts';
import { payloads } from './payloads.ts';

/** Forbidden effects in the pages of one browser. */
interface Watch {
  pages: number;
  executions: string[];
  reports: string[];
}

/** From here on every page of the browser tells when a payload runs and when its policy refuses something. */
async function watch(context: BrowserContext, seen: Watch): Promise<void> {
  await context.exposeBinding('noteRun', ({ page }) => seen.executions.push(page.url()));
  await context.exposeBinding('noteReport', ({ page }, report: string) =>
    seen.reports.push(`${page.url()} ${report}`),
  );
  await context.addInitScript(() => {
    const { noteRun, noteReport } = window as unknown as {
      noteRun: () => void;
      noteReport: (report: string) => void;
    };
    Object.assign(window, { ran: noteRun });
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      noteReport(`${effectiveDirective} ${blockedURI}`);
    });
  });
  context.on('dialog', (dialog) => {
    seen.executions.push(dialog.message());
    void dialog.dismiss();
  });
}

async function open(page: Page, path: string, seen: Watch): Promise<void> {
  await page.goto(path);
  await untilScripted(page);
  seen.pages += 1;
}

/** The product's page shows the payload as text: it was really there to run. */
async function openProduct(page: Page, { product, payload }: Planted, seen: Watch): Promise<void> {
  await open(page, `/product/${product}`, seen);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(payload);
}

/** Every page that lists products, and the cart with the most lines that it takes. */
async function openLists(page: Page, seen: Watch): Promise<void> {
  for (const category of ['', 'rings', 'necklaces', 'bracelets', 'earrings', 'watches'])
    await open(page, category === '' ? '/shop' : `/shop?category=${category}`, seen);
  for (const path of ['/', '/cart', '/no/such/page', '/product/not-an-id'])
    await open(page, path, seen);
}

/** The admin's views of an order: its page, its invoice, its packing slip. */
async function openOrder(page: Page, { order, payload }: Planted, seen: Watch): Promise<void> {
  await open(page, `/admin#orders/${String(order)}`, seen);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Deliver to' })).toBeVisible();
  expect(await page.locator('main').textContent()).toContain(payload);
  for (const paper of ['invoice', 'packing-slip'])
    await open(page, `/api/admin/orders/${String(order)}/${paper}`, seen);
}

test('payloads in every field of products, orders and messages run on no page and make no report', async ({
  browser,
}) => {
  const seen: Watch = { pages: 0, executions: [], reports: [] };
  const { url } = runningShop();
  const customer = await createCustomer();
  const planted = await plant(payloads, customer.session.user.id);
  const cart = planted.slice(0, 50).map(({ product, payload }) =>
    cartLine({
      id: product,
      name: payload,
      description: payload,
      category: payload,
      images: [payload],
      price: 100,
      offerPrice: null,
      stock: 5,
      image_alts: [],
      attributes: {},
    }),
  );
  const [visitor, admin] = [
    await browser.newContext({ baseURL: url }),
    await browser.newContext({ baseURL: url, storageState: adminStateFile() }),
  ];
  await Promise.all([watch(visitor, seen), watch(admin, seen)]);
  await startWith(visitor, { customer, cart });
  const [shopping, managing] = [await visitor.newPage(), await admin.newPage()];

  for (const each of planted) await openProduct(shopping, each, seen);
  await openLists(shopping, seen);
  await rebuild(url);
  for (const each of planted) await openProduct(shopping, each, seen);
  await openLists(shopping, seen);
  await open(shopping, '/profile', seen);
  await shopping.getByRole('tab', { name: 'Orders' }).click();
  await expect(shopping.getByRole('article').first()).toBeVisible();

  for (const each of planted) await openOrder(managing, each, seen);
  for (const path of ['/admin', '/admin#orders', '/admin#today', '/admin#inbox', '/admin#refunds'])
    await open(managing, path, seen);
  reportFigures(15, {
    payloads: payloads.length,
    fields: fieldCount,
    pages: seen.pages,
    executions: seen.executions.length,
    'CSP reports': seen.reports.length,
  });
  expect(seen.executions).toEqual([]);
  expect(seen.reports).toEqual([]);
});
