import type { Page } from '@playwright/test';
import { budgets, expectWithinBudget } from '#tests/browser/support/budgets.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { holdAutomaticBuilds } from './automatic-builds.ts';
import { expect, findRow, openAdmin, openMore, test } from '#tests/browser/admin/admin-page.ts';
import {
  deleteProduct,
  insertProduct,
  type ProductRow,
} from '#tests/browser/catalogue/product-rows.ts';
import { runningShop, supabaseAs } from '#tests/browser/support/running-shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';

/*
 * A build with a product that is new, and without one that is deleted. It takes seconds, and many of them on a busy machine:
 * a build requested in one test is awaited in the next.
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

/** The products of an occasion far ahead: the page shows it when its own clock says so. */
const chosen = [
  'Thumba',
  'Mukkutti',
  'Chethi',
  'Jamanthi',
  'Arali',
  'Vadamalli',
  'Mandaram',
  'Shankhupushpam',
].map((flower) => `${flower} ${crypto.randomUUID().slice(0, 8)}`);
/** Puts them into the order that the test leaves in the form: the third was moved up. */
const inOrder = <T>([first, second, third, ...others]: readonly T[]): T[] =>
  [first, third, second, ...others] as T[];
const chosenIds: string[] = [];
const [firstDay, lastDay] = [300, 309].map((days) =>
  isoDateInIndia(new Date(Date.now() + days * 86_400_000).toISOString()),
) as [string, string];

const statusOfPage = async (product: string): Promise<number> =>
  (await fetch(`${runningShop().url}/product/${product}`)).status;

async function publish(page: Page): Promise<void> {
  await openMore(page);
  const publishing = page.getByRole('region', { name: 'Publishing' });
  await publishing.getByRole('button', { name: 'Publish now' }).click();
  await expect(publishing.getByRole('button', { name: 'Building…' })).toBeVisible();
}

test.beforeAll(async () => {
  id = (await insertProduct({ name, category: shopCategory(1).slug, price: 2499, stock: 4 })).id;
  // Images and texts of the demo catalogue: what a card weighs is counted below.
  const { data: models } = await demoProduct()
    .select('images, description, category, price')
    .limit(chosen.length)
    .overrideTypes<
      Pick<ProductRow, 'images' | 'description' | 'category' | 'price'>[],
      { merge: false }
    >();
  for (const [index, flower] of chosen.entries())
    chosenIds.push((await insertProduct({ ...models?.[index], name: flower, stock: 2 })).id);
  const { data } = await demoProduct().select('id').eq('name', deleted).single();
  deletedId = String(data?.id);
});

test.afterAll(async () => {
  for (const one of [id, ...chosenIds]) await deleteProduct(one);
  await supabaseAs('shop').rpc('save_occasion', { p_occasion: null });
  const { error } = await demoProduct().update({ deleted_at: null }).eq('id', deletedId);
  expect(error).toBeNull();
  await holdAutomaticBuilds();
});

test('an occasion is written with its days and products, and waits to be published', async ({
  page,
}) => {
  await openMore(page);
  const panel = page.locator('summary').filter({ hasText: 'Occasion' });
  await panel.click();
  const form = page.getByRole('form', { name: 'Occasion' });
  await form.getByLabel('Heading').fill('For Onam');
  await form.getByLabel('First day').fill(firstDay);
  await form.getByLabel('Last day').fill(lastDay);
  for (const flower of chosen.slice(0, 3)) {
    await form.getByLabel('Find products').fill(flower);
    await form.getByRole('button', { name: `Add ${flower}` }).click();
  }
  await form.getByRole('button', { name: 'Save occasion' }).click();
  await expect(form.getByText('Write a sentence')).toBeVisible();
  await form.getByLabel('One sentence').fill('Flowers for ten days.');
  await form.getByRole('button', { name: `Move ${chosen[2] ?? ''} up` }).click();
  await expectAccessible(page, 'the form of the occasion');
  await form.getByRole('button', { name: 'Save occasion' }).click();
  await expectToast(page, 'Occasion saved');
  await expect(panel).toContainText('For Onam');
  const publishing = page.getByRole('region', { name: 'Publishing' });
  await publishing.getByText('Which ones?').click();
  await expect(publishing.getByRole('listitem').filter({ hasText: 'For Onam' })).toBeVisible();
});

test('a deleted product loses its page at once; a new one is marked, listed as unpublished, and published on request', async ({
  page,
}) => {
  expect([await cardsInShop(id), await cardsInShop(deletedId)]).toEqual([0, 1]);
  // The form has shown how products are added: as many as an occasion takes come from here.
  expect(chosenIds).toHaveLength(8);
  const saved = await supabaseAs('shop').rpc('save_occasion', {
    p_occasion: {
      heading: 'For Onam',
      sentence: 'Flowers for ten days.',
      first_day: firstDay,
      last_day: lastDay,
      products: inOrder(chosenIds),
    },
  });
  expect(saved.error).toBeNull();
  await openAdmin(page);
  await (await findRow(page, deleted)).getByRole('button', { name: `Delete ${deleted}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expectToast(page, 'Deleted');
  await expect.poll(() => statusOfPage(deletedId)).toBe(404);

  await expect((await findRow(page, name)).getByText('To be published')).toBeVisible();
  await page.getByRole('link', { name: /^Publish \d+ changes?$/u }).click();
  const publishing = page.getByRole('region', { name: 'Publishing' });
  await expect(publishing.getByText(/changes? (?:is|are) not published yet/u)).toBeVisible();
  await publishing.getByText('Which ones?').click();
  await expect(publishing.getByRole('listitem').filter({ hasText: name })).toContainText('added');
  await publish(page);
});

test('after the build the new product is published and unmarked, and the deleted one is gone', async ({
  page,
}) => {
  // A build takes ten seconds, and half a minute and more on a slow or busy machine.
  test.slow();
  await openAdmin(page);
  const row = await findRow(page, name);
  await expect(row.getByText('To be published')).toBeHidden({ timeout: 180_000 });
  expect([await cardsInShop(id), await cardsInShop(deletedId)]).toEqual([1, 0]);
  expect([await statusOfPage(id), await statusOfPage(deletedId)]).toEqual([200, 404]);
  // Built anew it is still the shop, and no preview of it.
  const robots = await (await fetch(`${runningShop().url}/robots.txt`)).text();
  expect(robots).not.toMatch(/^Disallow: \/$/mu);
});

test('a first visit to home with an occasion of eight products stays within its bytes and requests', async ({
  page,
}) => {
  await page.clock.setFixedTime(Date.parse(`${firstDay}T00:00:00+05:30`));
  await expectWithinBudget(page, '/', budgets['/ with an occasion']);
  await expect(page.getByRole('region', { name: 'For Onam' })).toBeVisible();
});

test('home has the occasion from the first moment of its first day to the last of its last; what is sold out or gone since the build keeps its place', async ({
  page,
}) => {
  const band = page.getByRole('region', { name: 'For Onam' });
  const at = async (day: string, ms: number) => {
    await page.clock.setFixedTime(Date.parse(`${day}T00:00:00+05:30`) + ms);
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  };
  await at(firstDay, -1);
  await expect(band).toBeHidden();
  await at(lastDay, 86_400_000);
  await expect(band).toBeHidden();
  await at(lastDay, 86_399_999);
  await expect(band).toBeVisible();
  await at(firstDay, 0);
  await expect(band.getByRole('heading', { level: 3 })).toHaveText(inOrder(chosen));
  await expectAccessible(page, 'home with an occasion');

  const { error } = await demoProduct().update({ stock: 0 }).eq('id', chosenIds[0]);
  expect(error).toBeNull();
  await at(firstDay, 0);
  const cards = band.locator('.card');
  await expect(cards.first()).toContainText('Out of Stock');
  await expect(cards).toHaveCount(chosenIds.length);
  for (const gone of chosenIds.slice(2)) await deleteProduct(gone);
  await at(firstDay, 0);
  await expect(band.locator('.card[data-gone]')).toHaveCount(chosenIds.length - 2);
  await expect(band.getByRole('heading', { level: 3 })).toHaveText(
    inOrder(chosen).filter((one) => chosen.indexOf(one) < 2),
  );
});
