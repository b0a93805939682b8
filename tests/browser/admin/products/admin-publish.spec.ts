import type { Page } from '@playwright/test';
import { holdAutomaticBuilds } from './automatic-builds.ts';
import { expect, findRow, openAdmin, openMore, test } from '../admin-page.ts';
import { deleteProduct, insertProduct } from '../../catalogue/product-rows.ts';
import { runningShop } from '../../support/running-shop.ts';
import { expectToast } from '../../support/toasts.ts';

/*
 * One product from its first build to the one without it. A build takes seconds, and many of them on a busy machine: what
 * is asked for in one test is awaited in the next.
 */
test.describe.configure({ mode: 'serial' });

const name = `Ponnu ${crypto.randomUUID().slice(0, 8)}`;
let id = '';

/** How often the built page of the shop names the product. */
async function cardsInShop(path = '/shop'): Promise<number> {
  const html = await (await fetch(runningShop().url + path)).text();
  const next = /<a [^>]*rel="next" href="([^"]+)"/u.exec(html)?.[1];
  return (
    html.split(`data-id="${id}"`).length - 1 + (next === undefined ? 0 : await cardsInShop(next))
  );
}

const statusOfPage = async (): Promise<number> =>
  (await fetch(`${runningShop().url}/product/${id}`)).status;

async function publish(page: Page): Promise<void> {
  await openMore(page);
  const publishing = page.getByRole('region', { name: 'Publishing' });
  await publishing.getByRole('button', { name: 'Publish now' }).click();
  await expect(publishing.getByRole('button', { name: 'Building…' })).toBeVisible();
}

test.beforeAll(async () => {
  id = (await insertProduct({ name, category: 'necklaces', price: 2499, stock: 4 })).id;
});

test.afterAll(async () => {
  await deleteProduct(id);
  await holdAutomaticBuilds();
});

test('a new piece is marked, listed among the changes, and published at the owner’s word', async ({
  page,
}) => {
  await openAdmin(page);
  await expect((await findRow(page, name)).getByText('To be published')).toBeVisible();
  expect(await cardsInShop()).toBe(0);
  await page.getByRole('link', { name: 'Publish', exact: true }).click();
  const publishing = page.getByRole('region', { name: 'Publishing' });
  await expect(publishing.getByText(/changes? (?:is|are) not published yet/u)).toBeVisible();
  await publishing.getByText('Which ones?').click();
  await expect(publishing.getByRole('listitem').filter({ hasText: name })).toContainText('added');
  await publish(page);
});

test('a published piece stands in the built shop and is marked no more', async ({ page }) => {
  await openAdmin(page);
  const row = await findRow(page, name);
  await expect(row.getByText('To be published')).toBeHidden({ timeout: 25_000 });
  expect(await cardsInShop()).toBe(1);
  // Built anew it is still the shop, and no preview of it.
  const robots = await (await fetch(`${runningShop().url}/robots.txt`)).text();
  expect(robots).not.toMatch(/^Disallow: \/$/mu);
  await holdAutomaticBuilds();
});

test('a built piece that the owner deletes has no page from that moment', async ({ page }) => {
  await openAdmin(page);
  await (await findRow(page, name)).getByRole('button', { name: `Delete ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expectToast(page, 'Deleted');
  await expect.poll(statusOfPage).toBe(404);
  await publish(page);
});

test('a deleted piece is gone from the built shop', async () => {
  await expect.poll(() => cardsInShop(), { timeout: 25_000 }).toBe(0);
  expect(await statusOfPage()).toBe(404);
});
