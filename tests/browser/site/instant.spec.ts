import { chromium, type Browser } from '@playwright/test';
import config from '../../../playwright.config.ts';
import { shop } from '#settings/shop.ts';
import { createCustomer, startWith } from '#tests/browser/account/customers.ts';
import { runningShop } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { shopCategory } from '#tests/browser/support/shop-category.ts';

test('fifty quick presses on Add to Cart make one consistent cart, and ask the network for nothing', async ({
  page,
  newProduct,
}) => {
  const product = await newProduct({ stock: 60 });
  await page.goto(`/product/${product.id}`);
  await expect(page.getByRole('heading', { level: 1, name: product.name })).toBeVisible();
  const add = page.locator('.buy add-to-cart button');
  await add.click();
  await expect(page.locator('[data-cart-count]')).toHaveText('1');
  // The first touch also begins what features do on the page.
  await page.waitForLoadState('networkidle');
  // Without images: the press scrolled to the button, and what has come near the screen is fetched a frame later.
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() !== 'image') asked.push(request.url());
  });
  await add.evaluate((button: HTMLButtonElement) => {
    for (let press = 0; press < 50; press += 1) button.click();
  });
  // An order may have so many of one product.
  const most = shop.limits.unitsPerOrder;
  await expect(page.locator('[data-cart-count]')).toHaveText(String(most));
  const stored = await page.evaluate(() => localStorage.getItem('kasavu:cart') ?? '');
  expect(JSON.parse(stored)).toEqual([expect.objectContaining({ id: product.id, quantity: most })]);
  const messages = await page.locator('.toast').allTextContents();
  expect(messages.length).toBeGreaterThan(0);
  expect(new Set(messages).size, 'the same message is there once').toBe(messages.length);
  expect(asked).toEqual([]);
  await page.goto('/cart');
  expect(asked, 'requests are noticed').not.toEqual([]);
});

for (const saveData of [false, true]) {
  test(`next pages are ${saveData ? 'not fetched ahead where the device saves data' : 'fetched ahead when somebody seems about to open them'}`, async ({
    browser,
  }) => {
    const page = await browser.newPage({ isMobile: false, hasTouch: false });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setDataSaverOverride', { dataSaverEnabled: saveData });
    await page.goto(runningShop().url);
    await expect(page.locator('site-header')).toHaveJSProperty('isConnected', true);
    await page.waitForFunction(() => customElements.get('newsletter-form') !== undefined);
    const rules = page.locator('script[type=speculationrules]');
    await expect(rules).toHaveCount(saveData ? 0 : 1);
    if (saveData) {
      await page.close();
      return;
    }
    const ahead = page
      .context()
      .waitForEvent('request', (request) => request.url().endsWith('/shop'));
    await page.getByRole('link', { name: 'Shop Collection' }).hover();
    expect((await (await ahead).allHeaders())['sec-purpose']).toContain('prefetch');
    await page.close();
  });
}

test('a page is fetched ahead when a finger touches its link, and not when the link comes into view', async ({
  browser,
}) => {
  const page = await browser.newPage({ isMobile: true, hasTouch: true });
  await page.goto(runningShop().url);
  // Chromium on a desktop does not do what Android's does with 'moderate' rules, so the rules themselves are looked at.
  const rules = page.locator('script[type=speculationrules]');
  await expect(rules).toHaveCount(1);
  expect(await rules.textContent()).toContain('"conservative"');
  const ahead = page
    .context()
    .waitForEvent('request', (request) => request.url().endsWith('/shop'));
  await page.getByRole('link', { name: 'Shop Collection' }).tap();
  expect((await (await ahead).allHeaders())['sec-purpose']).toContain('prefetch');
  await page.close();
});

/** The page's own reasons against the browser's back/forward cache, after a way to the next page and back. */
async function blockersOf(browser: Browser, path: string, unload: boolean): Promise<string[]> {
  const { url } = runningShop();
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  const address = url + path;
  await page.goto(address);
  await page.waitForFunction(() => customElements.get('site-header') !== undefined);
  if (unload)
    await page.evaluate(() => {
      window.addEventListener('unload', () => undefined);
    });
  await page.goto(`${url}/about`);
  // Playwright's `goBack` waits for a load, which a page out of that cache does not have: Chromium reports either the
  // restored page or why there is none.
  const blockers = new Promise<string[]>((resolve) => {
    session.on('Page.frameNavigated', ({ frame, type }) => {
      if (frame.url === address && type === 'BackForwardCacheRestore') resolve([]);
    });
    session.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) => {
      resolve(
        notRestoredExplanations
          .filter(({ type }) => type !== 'Circumstantial')
          .map(({ reason }) => reason),
      );
    });
  });
  const { currentIndex, entries } = await session.send('Page.getNavigationHistory');
  const previous = entries[currentIndex - 1];
  if (previous === undefined) throw new Error('There is no page to go back to');
  await session.send('Page.navigateToHistoryEntry', { entryId: previous.id });
  return blockers;
}

test('nothing on home, the listing or a product keeps it out of the cache from which back and forward come', async ({
  newProduct,
}) => {
  const { id } = await newProduct();
  // Playwright turns that cache off for every browser that it starts; this one has it. The headless shell takes no page out of
  // it, for a reason of its own ('Circumstantial'), but names the page's reasons all the same.
  const browser = await chromium.launch({
    ...config.use?.launchOptions,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  try {
    for (const path of ['/', '/shop', `/product/${id}`])
      expect(await blockersOf(browser, path, false), path).toEqual([]);
    expect(await blockersOf(browser, '/', true), 'a page that does is noticed').not.toEqual([]);
  } finally {
    await browser.close();
  }
});

test('a page restored from bfcache shows the current cart', async ({ page, newProduct }) => {
  const { id } = await newProduct();
  await page.goto('/shop');
  await page.waitForFunction(() => customElements.get('site-header') !== undefined);
  await page.evaluate(
    (line) => {
      // Another page filled the cart while this one lay in the cache, where it hears of nothing.
      localStorage.setItem('kasavu:cart', JSON.stringify([line]));
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    },
    {
      id,
      name: 'Ring',
      category: shopCategory(0).slug,
      images: [],
      price: 100,
      offerPrice: null,
      stock: 3,
      quantity: 2,
    },
  );
  await expect(page.locator('[data-cart-count]')).toHaveText('2');
});

test('a page restored from bfcache after a sign-out elsewhere shows nothing of the account', async ({
  page,
  context,
}) => {
  const customer = await createCustomer();
  await startWith(context, { customer });
  // Once it has come: without the session it would be refused.
  const profile = page.waitForResponse(/\/rest\/v1\/profiles\?select/u);
  await page.goto('/profile');
  await profile;
  await expect(page.getByRole('main').getByText(customer.email).first()).toBeVisible();
  await page.evaluate(() => {
    localStorage.removeItem('kasavu:auth');
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await page.waitForURL(/\/auth\?next=/u);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(customer.email)).toHaveCount(0);
});

test('a page that was left by a sign-out and is restored from bfcache leads to the login', async ({
  page,
  context,
}) => {
  await startWith(context, { customer: await createCustomer() });
  await page.goto('/profile');
  // The home page never comes, so this one stays as it would lie in the cache.
  await page.route('**/', (route) => route.abort('aborted'));
  const left = page.waitForEvent('requestfailed', (request) => request.isNavigationRequest());
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await left;
  await expect(page.getByText('One moment, please')).toBeVisible();
  await page.evaluate(() => {
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await expect(page).toHaveURL(/\/auth\?next=/u);
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible();
});

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });
});
