import type { Page } from '@playwright/test';
import { holdAutomaticBuilds } from './automatic-builds.ts';
import { expect, findRow, openAdmin, openMore, test } from '../admin-page.ts';
import { deleteProduct, insertProduct } from '../../catalogue/product-rows.ts';
import { runningShop, supabaseAs } from '../../support/running-shop.ts';
import { expectToast } from '../../support/toasts.ts';

/*
 * A build with a product that is new, and without one that is deleted. It takes seconds, and many of them on a busy machine:
 * what is asked for in one test is awaited in the next.
 */
test.describe.configure({ mode: 'serial' });

const name = `Ponnu ${crypto.randomUUID().slice(0, 8)}`;
let id = '';
/** A product of the demo catalogue that no other test looks at. */
const deleted = 'Nila Petite Watch';
let deletedId = '';
const demoProduct = () => supabaseAs('shop').from('products');

/** How often the built pages of the shop name a product. */
async function cardsInShop(product: string, path = '/shop'): Promise<number> {
  const html = await (await fetch(runningShop().url + path)).text();
  const next = /<a [^>]*rel="next" href="([^"]+)"/u.exec(html)?.[1];
  return (
    html.split(`data-id="${product}"`).length -
    1 +
    (next === undefined ? 0 : await cardsInShop(product, next))
  );
}

const statusOfPage = async (product: string): Promise<number> =>
  (await fetch(`${runningShop().url}/product/${product}`)).status;

async function publish(page: Page): Promise<void> {
  await openMore(page);
  const publishing = page.getByRole('region', { name: 'Publishing' });
  await publishing.getByRole('button', { name: 'Publish now' }).click();
  await expect(publishing.getByRole('button', { name: 'Building…' })).toBeVisible();
}

test.beforeAll(async () => {
  id = (await insertProduct({ name, category: 'necklaces', price: 2499, stock: 4 })).id;
  const { data } = await demoProduct().select('id').eq('name', deleted).single();
  deletedId = String(data?.id);
});

test.afterAll(async () => {
  await deleteProduct(id);
  const { error } = await demoProduct().update({ deleted_at: null }).eq('id', deletedId);
  expect(error).toBeNull();
  await holdAutomaticBuilds();
});

test('a built piece that the owner deletes has no page from that moment; a new one is marked, listed among the changes, and published at the owner’s word', async ({
  page,
}) => {
  expect([await cardsInShop(id), await cardsInShop(deletedId)]).toEqual([0, 1]);
  await openAdmin(page);
  await (await findRow(page, deleted)).getByRole('button', { name: `Delete ${deleted}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expectToast(page, 'Deleted');
  await expect.poll(() => statusOfPage(deletedId)).toBe(404);

  await expect((await findRow(page, name)).getByText('To be published')).toBeVisible();
  await page.getByRole('link', { name: 'Publish', exact: true }).click();
  const publishing = page.getByRole('region', { name: 'Publishing' });
  await expect(publishing.getByText(/changes? (?:is|are) not published yet/u)).toBeVisible();
  await publishing.getByText('Which ones?').click();
  await expect(publishing.getByRole('listitem').filter({ hasText: name })).toContainText('added');
  await publish(page);
});

test('in the shop that was built the new piece stands, marked no more, and the deleted one is gone', async ({
  page,
}) => {
  await openAdmin(page);
  const row = await findRow(page, name);
  await expect(row.getByText('To be published')).toBeHidden({ timeout: 25_000 });
  expect([await cardsInShop(id), await cardsInShop(deletedId)]).toEqual([1, 0]);
  expect([await statusOfPage(id), await statusOfPage(deletedId)]).toEqual([200, 404]);
  // Built anew it is still the shop, and no preview of it.
  const robots = await (await fetch(`${runningShop().url}/robots.txt`)).text();
  expect(robots).not.toMatch(/^Disallow: \/$/mu);
});
