/* The states of the customers' pages that `npm run bench -- screenshots` takes: every open page, and what a press shows. */
import type { Page } from '@playwright/test';
import { pages } from '../../browser/site/page-list.ts';

/** One screenshot at each width. */
export interface ScreenState {
  name: string;
  path: string;
  /** What the browser has stored on earlier visits. */
  kept?: { signedIn?: true; cart?: true; wishlist?: true };
  /** Actions before the screenshot. */
  act?: (page: Page) => Promise<void>;
  /** The screen alone, for what lies over the page; else the whole page. */
  screenOnly?: true;
  withoutScripts?: true;
  /** Another shop than the demo's: with an occasion on, or with every product withdrawn since the build. */
  shop?: 'occasion' | 'empty';
}

/** The time by which dates are shown. */
export const clock = new Date('2026-01-15T06:00:00Z');

/** Shows an admin's notice, as /api/notice answers it while it is on. */
const withNotice = (closes: boolean) => async (page: Page) => {
  const notice = {
    message: closes ? 'We are at a wedding.' : 'Onam holidays: we pack again soon.',
    ...{ first_day: '2026-01-14', last_day: '2026-01-20' },
    ...{ closes_checkout: closes, extra_days: closes ? 0 : 3 },
  };
  await page.route('**/api/notice', (route) => route.fulfill({ json: { begun: true, notice } }));
  await page.reload();
  await page.locator('.shop-notice').getByText(notice.message).waitFor();
};

/** Names of the demo catalogue. */
export const inCart = ['Palakka Mala', 'Mullamottu Pearl Studs'] as const;
export const inWishlist = ['Piriyan Rope Band', 'Palakka Mala', 'Nila Petite Watch'] as const;

const signedIn = { signedIn: true } as const;
const withCart = { signedIn: true, cart: true } as const;
const withWishlist = { wishlist: true } as const;

const see = (text: string | RegExp) => async (page: Page) => {
  await page.getByText(text).first().waitFor();
};
const press = (label: string) => async (page: Page) => {
  const buttons = page.getByRole('button', { name: label, exact: true });
  await buttons.filter({ visible: true }).first().click();
};
const openFilter = async (page: Page) => {
  await page.locator('[data-action="filter"]').click();
  await page.locator('dialog[open] fieldset label').first().waitFor();
};
const openMenu = async (page: Page) => {
  await page
    .locator('site-header :not(.shop-menu) > summary')
    .filter({ visible: true })
    .first()
    .click();
};
const openDetails = async (page: Page) => {
  await page.locator('main details').evaluateAll((all) => {
    for (const details of all) details.removeAttribute('name');
    for (const details of all) details.setAttribute('open', '');
  });
};

const openPages: ScreenState[] = pages
  .filter(({ footer }) => footer !== false)
  .map(({ path }) => ({ name: path.replace(/\W+/gu, '-').replace(/^-/u, '') || 'home', path }));

/** `product` finds the path of a product of the demo catalogue. */
export const statesOf = (product: (name: string) => string): ScreenState[] => [
  ...openPages,
  { name: 'home-signed-in', path: '/', kept: withCart, screenOnly: true },
  { name: 'home-notice', path: '/', act: withNotice(false), screenOnly: true },
  { name: 'home-occasion', path: '/', shop: 'occasion' },
  { name: 'home-empty', path: '/', shop: 'empty' },
  { name: 'shop-empty', path: '/shop', shop: 'empty' },
  { name: 'menu-open', path: '/about', kept: withCart, act: openMenu, screenOnly: true },
  {
    name: 'account-dialog',
    path: '/about',
    kept: signedIn,
    act: async (page) => {
      await openMenu(page);
      await page.locator('[data-profile]').filter({ visible: true }).click();
      await page.getByRole('dialog').getByText('Postal Code').waitFor();
    },
    screenOnly: true,
  },
  { name: 'shop-without-scripts', path: '/shop', withoutScripts: true },
  { name: 'product-without-scripts', path: product('Palakka Mothiram'), withoutScripts: true },
  { name: 'shop-list', path: '/shop', kept: withWishlist, act: press('List view') },
  { name: 'shop-no-results', path: '/shop?q=zzzzzz', act: see('No products found') },
  {
    name: 'shop-chosen',
    path: '/shop',
    act: async (page) => {
      await openFilter(page);
      for (const row of await page
        .locator('dialog[open] fieldset label:first-of-type')
        .filter({ visible: true })
        .all())
        await row.click();
      await page.locator('[data-show-results]').click();
      await page.locator('[data-chosen] button').first().waitFor();
    },
  },
  { name: 'shop-filter', path: '/shop', act: openFilter, screenOnly: true },
  { name: 'product', path: product('Palakka Mala'), kept: withWishlist, act: openDetails },
  {
    name: 'product-with-sizes',
    path: product('Palakka Mothiram'),
    act: async (page) => {
      await page.getByRole('radio', { name: '14' }).check();
      await see(/^Only \d left in this size/u)(page);
      await openDetails(page);
    },
  },
  { name: 'product-sold-out', path: product('Neelambari Drops'), act: openDetails },
  {
    name: 'product-delivery',
    path: product('Nila Petite Watch'),
    act: async (page) => {
      await page.getByLabel(/PIN code/u).fill('68');
      await press('Check')(page);
    },
  },
  {
    name: 'gallery-zoom',
    path: product('Palakka Mala'),
    act: async (page) => {
      await page.getByRole('link', { name: 'Enlarge picture 1' }).click();
      await page.getByRole('button', { name: 'Close' }).waitFor();
    },
    screenOnly: true,
  },
  { name: 'cart-closed', path: '/cart', kept: withCart, act: withNotice(true) },
  { name: 'cart-filled', path: '/cart', kept: withCart },
  {
    name: 'checkout-details',
    path: '/cart',
    kept: withCart,
    act: async (page) => {
      await press('Proceed to Checkout')(page);
      await page.getByRole('dialog').getByLabel('City').waitFor();
    },
    screenOnly: true,
  },
  { name: 'register', path: '/auth', act: press("Don't have an account? Sign up") },
  {
    name: 'code-awaited',
    path: '/auth',
    act: async (page) => {
      await page.evaluate(() => {
        const awaited = { mode: 'code', email: 'anjali@example.com', sentAt: Date.now() - 60_000 };
        sessionStorage.setItem(
          'kasavu:awaited-code',
          JSON.stringify({ ...awaited, type: 'recovery' }),
        );
      });
      await page.reload();
      await see('Send a new code')(page);
    },
  },
  { name: 'profile', path: '/profile', kept: signedIn, act: see('Postal Code') },
  { name: 'orders', path: '/profile#orders', kept: signedIn, act: see(/^Order #/u) },
  { name: 'wishlist-filled', path: '/wishlist', kept: withWishlist, act: see(inWishlist[0]) },
  { name: 'faq-open', path: '/contact', act: openDetails },
  { name: 'contact-errors', path: '/contact', act: press('Send Message') },
  { name: 'message-sent', path: '/contact/sent' },
  { name: 'newsletter-subscribed', path: '/newsletter/subscribed' },
];
