import type { Page } from '@playwright/test';
import { categories } from '#settings/categories.ts';
import { seller } from '#settings/seller.ts';
import { theme } from '#settings/theme.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { chooseInListing, filterButton } from '#tests/browser/support/listing-fields.ts';
import { overflowOf, untilDrawn } from '#tests/browser/support/page-state.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';

const [first, last, pearls] = [shopCategory(0), shopCategory(4), shopCategory(3)];

const cards = (page: Page) => page.locator('[data-cards] > li').filter({ visible: true });
const namesOf = async (page: Page): Promise<string[]> =>
  cards(page).getByRole('heading').allTextContents();
const count = (page: Page) => page.locator('[data-count]');

/** The built catalogue as it is: products of other tests come and go meanwhile. */
test.beforeEach(async ({ page, expectProblem }) => {
  expectProblem(/rest\/v1\/products/u);
  await page.route('**/rest/v1/products?*', (route) => route.abort());
});

test('the first load has the first cards; the index comes with the first touch of a control, texts, words and library of the search with the search', async ({
  page,
}) => {
  const requested: string[] = [];
  page.on('request', (request) => {
    const [, name] =
      /\/_astro\/(catalogue|card-files|search|listing-search)\./u.exec(request.url()) ?? [];
    if (name !== undefined) requested.push(name);
  });
  await page.goto('/shop');
  await untilDrawn(page);
  await expect(cards(page)).toHaveCount(24);
  expect(requested).toEqual([]);
  const answer = page.waitForResponse(/\/_astro\/catalogue\.[\w]+\.json/u);
  await filterButton(page).focus();
  const index = await answer;
  expect(index.headers()['cache-control']).toContain('immutable');
  await chooseInListing(page, 'Category', first.slug);
  await expect(page).toHaveURL(`/shop?category=${first.slug}`);
  expect(requested.toSorted()).toEqual(['card-files', 'catalogue']);
  await page.getByLabel('Search products').fill('SOLITAIRE');
  await expect(cards(page)).toHaveCount(1);
  expect(requested.toSorted()).toEqual(['card-files', 'catalogue', 'listing-search', 'search']);
});

test('a search tolerates accents and one wrong letter, and names the correction', async ({
  page,
}) => {
  await page.goto('/shop');
  await page.getByLabel('Search products').fill('jimiki');
  await expect(page.getByText('Showing results for “jimikki”.')).toBeVisible();
  const found = await namesOf(page);
  expect(found.length).toBeGreaterThan(0);
  for (const name of found) expect(name).toContain('Jimikki');
  await page.getByLabel('Search products').fill('chándrika');
  await expect(page.getByText('Showing results for')).toBeHidden();
  await expect(cards(page).first()).toContainText(/chandrika/iu);
  await page.getByLabel('Search products').fill('chandrika xylophone');
  await expect(
    page.getByText('We have nothing for “xylophone”. These match “chandrika”.'),
  ).toBeVisible();
  await page.getByLabel('Search products').fill('chandrika cod');
  const answer = page.getByRole('status').filter({ hasText: /cash on delivery/iu });
  await expect(answer.getByRole('link', { name: 'Terms and Conditions' })).toBeVisible();
});

test(
  'a search without a result shows featured products, and asks on WhatsApp for what was typed',
  { tag: '@every-width' },
  async ({ page }) => {
    await page.goto('/shop');
    const suggestions = page.locator('[data-suggestions]');
    await expect(suggestions).toBeHidden();
    await page.getByLabel('Search products').fill('qzxw & wzxq');
    await expect(page.getByText('No products found')).toBeVisible();
    await expect(count(page)).toContainText('Showing 0 of');
    const link = page.getByRole('link', { name: 'Ask on WhatsApp for “qzxw & wzxq”' });
    const asked = new URL((await link.getAttribute('href')) ?? '');
    expect(asked.pathname).toBe(`/${seller.contact.whatsapp}`);
    expect(asked.searchParams.get('text')).toBe('I am looking for “qzxw & wzxq”.');
    await expect(suggestions).toContainText('Featured Collection');
    const shown = suggestions.getByRole('article');
    await expect(shown).toHaveCount(4);
    await expect(suggestions.locator('[aria-busy]')).toHaveCount(0);
    await expect(shown.first().getByRole('heading').getByRole('link')).toHaveAttribute(
      'href',
      /\/product\/.+/u,
    );
    await expectAccessible(page, 'a search without a result');
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await page.getByRole('link', { name: 'Clear Filters' }).click();
    await expect(suggestions).toBeHidden();
    await expect(cards(page)).toHaveCount(24);
  },
);

test('a choice made before the script came stays chosen', { tag: '@desktop' }, async ({ page }) => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/_astro/ShopListing*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/shop', { waitUntil: 'commit' });
  await chooseInListing(page, 'Category', last.slug);
  release();
  await expect(page).toHaveURL(`/shop?category=${last.slug}`);
  await expect(page.getByLabel('Category', { exact: true })).toHaveValue(last.slug);
  await expect(cards(page).locator('.card-category').first()).toHaveText(last.label);
  await expect(cards(page).locator('.card-category', { hasNotText: last.label })).toHaveCount(0);
});

test('on a phone a chip chooses the category, beside a search, and says which is chosen', async ({
  page,
}) => {
  await page.goto('/shop');
  const chips = page.getByRole('navigation', { name: 'Shop by category' }).getByRole('link');
  await expect(chips.filter({ visible: true })).toHaveText([
    'Offers',
    'All',
    ...categories.map(({ label }) => label),
  ]);
  await page.getByLabel('Search products').fill('pearl');
  await expect(page).toHaveURL('/shop?q=pearl');
  const chip = chips.filter({ hasText: pearls.label });
  await chip.tap();
  await expect(page).toHaveURL(`/shop?q=pearl&category=${pearls.slug}`);
  await expect(chip).toHaveAttribute('aria-current', 'true');
  await expect(chips.first()).not.toHaveAttribute('aria-current', 'true');
  await expect(cards(page).locator('.card-category', { hasNotText: pearls.label })).toHaveCount(0);
});

test('an address with an order never shows another one', async ({ page }) => {
  await page.addInitScript(() => {
    const seen = new Set<string>();
    const look = (): void => {
      const name = document.querySelector<HTMLElement>('[data-cards] .card-name');
      if (name?.checkVisibility({ visibilityProperty: true })) seen.add(name.textContent);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    Object.assign(window, { firstNames: seen });
  });
  await page.goto('/shop?sort=price-high');
  await expect(page.getByLabel('Sort by')).toHaveValue('price-high');
  await expect(cards(page).first()).toBeVisible();
  const first = await page.evaluate(() => [
    ...(window as unknown as { firstNames: Set<string> }).firstNames,
  ]);
  expect(first).toHaveLength(1);
  await chooseInListing(page, 'Sort by', 'latest');
  await expect(page).toHaveURL('/shop?sort=latest');
  await expect(cards(page).first().getByRole('heading')).not.toHaveText(first[0] ?? '');
});

test('facets narrow the results to their count, appear in the address, and are removed one by one or all at once', async ({
  page,
}) => {
  await page.goto('/shop');
  const filter = filterButton(page);
  await filter.click();
  const dialog = page.getByRole('dialog', { name: 'Sort and filter' });
  const silver = dialog.getByRole('checkbox', { name: /^Silver/u });
  await expect(silver).toBeVisible();
  await expectAccessible(page, 'the dialog of filters');
  const beside = await dialog
    .locator('label', { hasText: /^Silver/u })
    .locator('.facet-count')
    .innerText();
  await silver.check();
  await expect(dialog.getByRole('button', { name: `Show ${beside} products` })).toBeVisible();
  await expect(count(page)).toContainText(`Showing ${beside} of`);
  await dialog.getByRole('checkbox', { name: /^In stock/u }).check();
  const counts = await dialog.locator('.facet-count').filter({ visible: true }).allInnerTexts();
  expect(counts.length).toBeGreaterThan(0);
  for (const value of counts) expect(Number(value)).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  await expect(filter).toBeFocused();
  await expect(filter).toHaveAccessibleName('Sort and filter (2)');
  await expect(page).toHaveURL('/shop?metal=Silver&stock=In+stock');
  await page.reload();
  await expect(filter).toHaveAccessibleName('Sort and filter (2)');
  await page.getByRole('button', { name: 'Remove filter In stock' }).click();
  await expect(page).toHaveURL('/shop?metal=Silver');
  await expect(count(page)).toContainText(`Showing ${beside} of`);
  await filter.click();
  await dialog.getByRole('button', { name: 'Clear' }).click();
  await expect(page).toHaveURL('/shop');
});

test('more products come with the link, 24 at a time, never twice, and the first of them gets the focus', async ({
  page,
}) => {
  await page.goto('/shop');
  const total = Number(/of (\d+)/u.exec(await count(page).innerText())?.[1]);
  expect(total).toBeGreaterThan(24);
  expect(total).toBeLessThanOrEqual(48);
  const more = page.getByRole('link', { name: 'Show more products' });
  await more.click();
  await expect(cards(page)).toHaveCount(total);
  await expect(more).toBeHidden();
  await expect(page).toHaveURL('/shop');
  const names = await namesOf(page);
  expect(new Set(names).size).toBe(total);
  await expect(page.locator('[data-cards] [aria-busy]')).toHaveCount(0);
  await expect(cards(page).nth(24).getByRole('heading').getByRole('link')).toBeFocused();
});

test('back from a product finds the same results, place and focus; so does loading again', async ({
  page,
}) => {
  // The first page is read in another font: the one that came too late for it may change its lines while it is left.
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${theme.fonts.text.file}`, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/shop?sort=price-low', { waitUntil: 'commit' });
  // Before its script has come the link leads to the next page.
  await page.waitForFunction(() => customElements.get('shop-listing') !== undefined);
  await page.getByRole('link', { name: 'Show more products' }).click();
  const card = cards(page).nth(27);
  await card.scrollIntoViewIfNeeded();
  const link = card.getByRole('heading').getByRole('link');
  await expect(link).toHaveAttribute('href', /\/product\/.+/u);
  const name = await link.innerText();
  const top = async (): Promise<number> =>
    page
      .getByRole('link', { name, exact: true })
      .last()
      .evaluate((element) => element.getBoundingClientRect().top);
  await link.focus();
  await expect(page.locator('[data-cards] [aria-busy]')).toHaveCount(0);
  const before = await top();
  const font = page.waitForResponse(`**${theme.fonts.text.file}`);
  release();
  await font;
  const moved = async (): Promise<number> => Math.abs((await top()) - before);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await page.goBack();
  const again = page.getByRole('link', { name, exact: true }).last();
  await expect(again).toBeFocused();
  await expect.poll(moved).toBeLessThan(3);
  await page.reload();
  await expect(again).toBeFocused();
  await expect.poll(moved).toBeLessThan(3);
});

test('back undoes one filter, and a whole search term', async ({ page }) => {
  await page.goto('/shop');
  await chooseInListing(page, 'Category', pearls.slug);
  await expect(page).toHaveURL(`/shop?category=${pearls.slug}`);
  await page.getByLabel('Search products').pressSequentially('pearl');
  await expect(page).toHaveURL(`/shop?q=pearl&category=${pearls.slug}`);
  await page.goBack();
  await expect(page).toHaveURL(`/shop?category=${pearls.slug}`);
  await expect(page.getByLabel('Search products')).toHaveValue('');
  await page.goBack();
  await expect(page.getByLabel('Category', { exact: true })).toHaveValue('all');
  await page.goForward();
  await page.goForward();
  await expect(page.getByLabel('Search products')).toHaveValue('pearl');
  await expect(cards(page).first()).toContainText(/pearl/iu);
});

test('a category that was chosen before the catalogue came stays when the sheet steps back', async ({
  page,
}) => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/_astro\/catalogue\.[^/]+\.json$/u, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/shop');
  const entries = await page.evaluate(() => history.length);
  const asked = page.waitForRequest(/\/_astro\/catalogue\.[^/]+\.json$/u);
  await filterButton(page).click();
  await asked;
  await page.getByLabel('Category', { exact: true }).selectOption(pearls.slug);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => history.state as unknown)).toBeNull();
  await expect(page).toHaveURL('/shop');
  release();
  await expect(page).toHaveURL(`/shop?category=${pearls.slug}`);
  await expect(page.locator('select[name="category"]')).toHaveValue(pearls.slug);
  expect(await page.evaluate(() => history.length)).toBe(entries + 1);
});

test('without JavaScript pages lead to every product and back, each with its own canonical address', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  await page.goto('/shop');
  const total = Number(/of (\d+)/u.exec(await count(page).innerText())?.[1]);
  const found = new Set(
    await cards(page)
      .locator('.card-name a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  );
  // The keyboard presses it, because images that arrive above the link move it while a pointer is on its way.
  await page.getByRole('link', { name: 'Show more products' }).press('Enter');
  await expect(page).toHaveURL('/shop/page/2');
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute(
    'href',
    `${baseURL ?? ''}/shop/page/2`,
  );
  for (const href of await cards(page)
    .locator('.card-name a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href'))))
    found.add(href);
  expect(found.size).toBe(total);
  await page.getByRole('link', { name: 'Show earlier products' }).press('Enter');
  await expect(page).toHaveURL('/shop');
  await page.getByRole('link', { name: last.label, exact: true }).first().press('Enter');
  await expect(page).toHaveURL(`/shop/${last.slug}`);
  const categories = await cards(page).locator('.card-category').allInnerTexts();
  expect(categories.length).toBeGreaterThan(0);
  for (const category of categories) expect(category).toBe(last.label);
  await context.close();
});

test('at 320, 360 and 412 px the shop fits in both views, with filters chosen and in its dialog', async ({
  page,
}) => {
  await page.goto('/shop?metal=Silver&metal=Gold-plated&stone=Pearl&stock=In+stock');
  await untilDrawn(page);
  await expect(page.getByRole('button', { name: 'Sort and filter (4)' })).toBeVisible();
  for (const width of [412, 360, 320]) {
    await page.setViewportSize({ width, height: 780 });
    for (const view of ['List view', 'Grid view']) {
      await page.getByRole('button', { name: view }).click();
      expect(await overflowOf(page), `${view} at ${String(width)} px`).toBeLessThanOrEqual(0);
      const widest = await cards(page).evaluateAll((items) =>
        Math.max(...items.map((item) => item.getBoundingClientRect().right)),
      );
      expect(widest, `${view} at ${String(width)} px`).toBeLessThanOrEqual(width);
    }
  }
  await expectAccessible(page, 'the listing');
  await page.getByRole('button', { name: 'Sort and filter (4)' }).click();
  for (const width of [320, 360, 412]) {
    await page.setViewportSize({ width, height: 780 });
    expect(await overflowOf(page), `dialog at ${String(width)} px`).toBeLessThanOrEqual(0);
  }
});

test('the source of a card says only what is true of it, for browsers of text, which show what is hidden', async ({
  page,
}) => {
  const source = await (await page.request.get('/shop')).text();
  const cards = source.split('<article class="card"').slice(1, -1);
  expect(cards.length).toBeGreaterThan(10);
  for (const card of cards) {
    const text = card.slice(0, card.indexOf('</article>')).replaceAll(/<[^>]*>/gu, ' ');
    const onSale = /data-offer="\d/u.test(card);
    expect([/SALE/u.test(text), /Only \d+ left/u.test(text)]).toEqual([
      onSale,
      /badge-low"[^>]*data-low[^>]*>[^<]/u.test(card) && !/badge-low"[^>]*hidden/u.test(card),
    ]);
    expect(text.match(/Add to Cart|Choose size|Out of Stock/gu)).toHaveLength(1);
  }
});

test('a chip shows what is on offer, and takes it back, as the chip of all products does', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto('/shop');
  const chips = page.getByRole('navigation', { name: 'Shop by category' });
  const chip = chips.getByText('Offers');
  const all = chips.getByText('All', { exact: true });
  await chip.click();
  await expect(page).toHaveURL('/shop?offers=yes');
  await expect(chip).toHaveAttribute('aria-current', 'true');
  const cards = page.getByRole('article');
  await expect(page.getByRole('button', { name: 'Remove filter On offer' })).toBeVisible();
  await expect(cards.filter({ hasNotText: 'SALE' })).toHaveCount(0);
  expect(await cards.count()).toBeGreaterThan(1);
  await expect(all).not.toHaveAttribute('aria-current', 'true');
  await chip.click();
  await expect(page).toHaveURL('/shop');
  await expect(all).toHaveAttribute('aria-current', 'true');
  await chip.click();
  await expect(page).toHaveURL('/shop?offers=yes');
  await all.click();
  await expect(page).toHaveURL('/shop');
  await expect(chip).not.toHaveAttribute('aria-current', 'true');
});
