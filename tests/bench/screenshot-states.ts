/* The states of the shoppers' pages that `npm run bench -- screenshots` takes: every open page, and what comes by a press. */
import type { Page } from '@playwright/test';
import { pages } from '../browser/site/page-list.ts';

/** State that the browser keeps from earlier visits. */
export interface Kept {
  signedIn: boolean;
  cart: boolean;
  wishlist: boolean;
}

/** One picture at each width. */
export interface ScreenState {
  name: string;
  path: string;
  kept?: Partial<Kept>;
  /** Actions before the image is taken. */
  act?: (page: Page) => Promise<void>;
  /** The screen alone, for what lies over the page; else the whole page. */
  screenOnly?: true;
  withoutScripts?: true;
}

/** Shows an admin's notice, as /api/notice answers it while it is on. */
const withNotice = (closes: boolean) => async (page: Page) => {
  const day = (days: number): string =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await page.route('**/api/notice', (route) =>
    route.fulfill({
      json: {
        begun: true,
        notice: {
          message: closes ? 'We are at a wedding.' : 'Onam holidays: we pack again soon.',
          first_day: day(-1),
          last_day: day(5),
          closes_checkout: closes,
          extra_days: closes ? 0 : 3,
        },
      },
    }),
  );
  await page.reload();
  await page
    .locator('.shop-notice')
    .getByText(/wedding|Onam/u)
    .waitFor();
};

/** Names of the demo catalogue. */
export const inCart = ['Palakka Mala', 'Mullamottu Pearl Studs'] as const;
export const inWishlist = ['Piriyan Rope Band', 'Palakka Mala', 'Nila Petite Watch'] as const;

const press = (label: string) => async (page: Page) => {
  await page
    .getByRole('button', { name: label, exact: true })
    .filter({ visible: true })
    .first()
    .click();
};
const openFilter = async (page: Page) => {
  await press('Filter')(page);
  await page.locator('dialog[open] label').first().waitFor();
};
const openMenu = async (page: Page) => {
  await page.locator('site-header summary').filter({ visible: true }).first().click();
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
  { name: 'home-top', path: '/', screenOnly: true },
  { name: 'home-signed-in', path: '/', kept: { signedIn: true, cart: true }, screenOnly: true },
  {
    name: 'menu-open',
    path: '/about',
    kept: { signedIn: true, cart: true },
    act: openMenu,
    screenOnly: true,
  },
  {
    name: 'menu-signed-out',
    path: '/shop',
    act: async (page) => {
      if ((page.viewportSize()?.width ?? 0) < 768) await openMenu(page);
    },
    screenOnly: true,
  },
  {
    name: 'account-dialog',
    path: '/about',
    kept: { signedIn: true },
    act: async (page) => {
      await openMenu(page);
      await page.locator('[data-profile]').filter({ visible: true }).click();
      await page.getByRole('dialog').getByText('Postal Code').waitFor();
    },
    screenOnly: true,
  },
  { name: 'shop-without-scripts', path: '/shop', withoutScripts: true },
  { name: 'product-without-scripts', path: product('Palakka Mothiram'), withoutScripts: true },
  { name: 'shop-list', path: '/shop', kept: { wishlist: true }, act: press('List view') },
  {
    name: 'shop-no-results',
    path: '/shop?q=zzzzzz',
    act: async (page) => {
      await page.getByText('No products found').waitFor();
    },
  },
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
  {
    name: 'shop-message',
    path: '/shop/earrings',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Add to Cart/u })
        .first()
        .click();
      await page.getByText('Added to cart!').waitFor();
    },
    screenOnly: true,
  },
  { name: 'product', path: product('Palakka Mala'), kept: { wishlist: true }, act: openDetails },
  {
    name: 'product-with-sizes',
    path: product('Palakka Mothiram'),
    act: async (page) => {
      await page.getByRole('radio', { name: '14' }).check();
      // Fewer once a test has bought one on this data folder.
      await page.getByText(/^Only \d left in this size/u).waitFor();
      await openDetails(page);
    },
  },
  {
    name: 'product-size-missing',
    path: product('Palakka Mothiram'),
    act: press('Add to Cart'),
    screenOnly: true,
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
    name: 'product-seen-before',
    path: product('Palakka Mala'),
    act: async (page) => {
      // Seen products are stored from the first touch on.
      await page.keyboard.press('Tab');
      await page.waitForFunction(() => localStorage.getItem('kasavu:seen') !== null);
      await page.goto(product('Piriyan Rope Band'));
      await page.keyboard.press('Tab');
      await page.getByText('Recently seen').scrollIntoViewIfNeeded();
      await page.locator('[data-recently-viewed] img').waitFor();
    },
  },
  {
    name: 'gallery-second',
    path: product('Palakka Mala'),
    act: async (page) => {
      await page.getByRole('button', { name: 'Show picture 2' }).click();
    },
    screenOnly: true,
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
  { name: 'home-notice', path: '/', act: withNotice(false), screenOnly: true },
  {
    name: 'cart-closed',
    path: '/cart',
    kept: { signedIn: true, cart: true },
    act: withNotice(true),
  },
  { name: 'cart-filled', path: '/cart', kept: { signedIn: true, cart: true } },
  {
    name: 'checkout-details',
    path: '/cart',
    kept: { signedIn: true, cart: true },
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
      await page.getByText('Send a new code').waitFor();
    },
  },
  {
    name: 'profile',
    path: '/profile',
    kept: { signedIn: true },
    act: async (page) => {
      await page.getByText('Postal Code').waitFor();
    },
  },
  {
    name: 'orders',
    path: '/profile#orders',
    kept: { signedIn: true },
    act: async (page) => {
      await page.getByRole('article').first().waitFor();
    },
  },
  {
    name: 'wishlist-filled',
    path: '/wishlist',
    kept: { wishlist: true },
    act: async (page) => {
      await page.getByText(inWishlist[0]).waitFor();
    },
  },
  { name: 'faq-open', path: '/contact', act: openDetails },
  { name: 'contact-errors', path: '/contact', act: press('Send Message') },
  { name: 'message-sent', path: '/contact/sent' },
  { name: 'newsletter-subscribed', path: '/newsletter/subscribed' },
];
