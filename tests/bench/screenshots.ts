/*
 * Screenshots of the customers' pages, on a shop of their own: `npm run bench -- screenshots --out DIR [--only NAME]` takes
 * each state at both widths. Equal pages give equal files: `diff -rq BEFORE AFTER` shows whether a change of the styles changes
 * anything else. Two runs on one build have differed in one screenshot of 96, of a product's page: look at what it names
 * before you blame a style.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { isoDateInIndia } from '../../src/domain/india-month.ts';
import { openSession, startWith, type Customer } from '../browser/account/customers.ts';
import { cartLine, type ProductRow } from '../browser/catalogue/product-rows.ts';
import { untilDrawn } from '../browser/support/page-state.ts';
import { demoCustomer, insertRows, supabaseAs } from '../browser/support/running-shop.ts';
import { countTraffic } from '../browser/support/traffic.ts';
import { launchChromium, rebuild, withStack } from './support/embedded-stack.ts';
import { paidOrderRow } from './support/purchase.ts';
import {
  clock,
  inCart,
  inWishlist,
  statesOf,
  type ScreenState,
} from './support/screenshot-states.ts';
import { shop } from '../../src/settings/shop.ts';

const screens = {
  360: { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true },
  1440: { viewport: { width: 1440, height: 900 } },
} satisfies Record<string, BrowserContextOptions>;

/** The shop of all states. */
interface Shop {
  origin: string;
  product: (name: string) => ProductRow;
  customer: Customer;
}

/** Reads the catalogue, and gives the demo customer one paid order. */
async function prepareShop(origin: string): Promise<Shop> {
  const { data, error } = await supabaseAs('shop').from('products').select('*');
  if (error) throw new Error(error.message);
  const rows = data as ProductRow[];
  const product = (name: string): ProductRow => {
    const found = rows.find((row) => row.name === name);
    if (!found) throw new Error(`${name} is not in the catalogue`);
    return found;
  };
  const customer = await openSession(demoCustomer());
  const { id, name, images } = product('Piriyan Rope Band');
  await insertRows('orders', [
    paidOrderRow({
      user_id: customer.session.user.id,
      merchant_transaction_id: `${shop.orderPrefix}1-pictures`,
      payment_id: 'pay_00000000000001',
      created_at: clock,
      paid_at: clock,
      items: [{ product_id: id, name, quantity: 1, price: 100, image: images[0] }],
    }),
  ]);
  return { origin, product, customer };
}

/** Withdraws every product since the build: a build without one is refused. */
async function emptyCatalogue(isEmpty: boolean): Promise<void> {
  const { error } = await supabaseAs('shop')
    .from('products')
    .update({ deleted_at: isEmpty ? new Date() : null })
    .neq('name', '');
  if (error) throw new Error(error.message);
}

/** Puts an occasion of today onto the home page. */
async function saveOccasion({ origin, product }: Shop): Promise<void> {
  const today = isoDateInIndia(new Date().toISOString());
  const { error } = await supabaseAs('shop').rpc('save_occasion', {
    p_occasion: {
      heading: 'For Onam',
      sentence: 'Flowers for ten days.',
      first_day: today,
      last_day: today,
      products: inWishlist.map((name) => product(name).id),
    },
  });
  if (error) throw new Error(error.message);
  await rebuild(origin);
}

/** Stops everything that moves. Needs scripts: Playwright waits for an event of the style. */
async function stopMotion(page: Page): Promise<void> {
  await page.addStyleTag({
    content:
      '*, ::before, ::after { animation: none !important; transition: none !important; content-visibility: visible !important; scroll-behavior: auto !important }',
  });
}

/** Waits until every image and font is there. */
async function untilLoaded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Which thumbnails are there, and by which address, depends on what was in view and loaded.
    for (const images of document.querySelectorAll<
      HTMLElement & { fill?: (count: number) => void }
    >('card-images')) {
      images.fill?.(9);
      const source = images.querySelector<HTMLImageElement>('picture img')?.src ?? '';
      for (const image of images.querySelectorAll<HTMLImageElement>('[data-thumb] img'))
        image.src = source;
    }
    const images = [...document.images];
    for (const image of images) image.loading = 'eager';
    await Promise.all(
      images
        .filter((image) => image.src !== '')
        .map(async (image) => image.decode().catch(() => undefined)),
    );
    await document.fonts.ready;
  });
}

async function take(
  browser: Browser,
  { origin, product, customer }: Shop,
  { path, kept, act, screenOnly, withoutScripts, shop }: ScreenState,
  screen: BrowserContextOptions,
  file: string,
): Promise<void> {
  const context = await browser.newContext({
    ...screen,
    baseURL: origin,
    reducedMotion: 'reduce',
    bypassCSP: true,
    javaScriptEnabled: withoutScripts !== true,
  });
  try {
    // An occasion is on by the page's own clock; every other date is the same on each day.
    if (shop !== 'occasion') await context.clock.setFixedTime(clock);
    const cart = inCart.map((name, index) => cartLine(product(name), index + 1));
    await startWith(context, {
      ...(kept?.cart === true ? { cart } : {}),
      ...(kept?.signedIn === true ? { customer } : {}),
    });
    const entries = inWishlist.map((name, at) => ({ id: product(name).id, at: 1e12 - at }));
    if (kept?.wishlist === true)
      await context.addInitScript(
        (list) => {
          if (location.protocol === 'http:' && window === window.top)
            localStorage.setItem('kasavu:wishlist', list);
        },
        JSON.stringify({ '': { entries, unsent: [], readAt: 0 } }),
      );
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    // A font that swaps in is drawn or not by how fast it came.
    await page.route(
      (address) => !/\.\w+$/u.test(address.pathname),
      async (route) => {
        if (route.request().resourceType() !== 'document') return route.fallback();
        const response = await route.fetch();
        const html = await response.text();
        const body = html.replaceAll(/font-display: ?(?:optional|swap)/gu, 'font-display:block');
        await route.fulfill({ response, body });
      },
    );
    const traffic = await countTraffic(page);
    await page.goto(path);
    if (withoutScripts === true) await untilLoaded(page);
    else {
      await traffic.quiet();
      await untilDrawn(page);
      await act?.(page);
      await stopMotion(page);
      // Twice: what is shown anew may ask for more.
      for (let round = 0; round < 2; round += 1) {
        await traffic.quiet();
        await untilLoaded(page);
      }
    }
    if (screenOnly !== true)
      await page.evaluate(() => {
        scrollTo(0, 0);
      });
    await page.screenshot({ path: file, fullPage: screenOnly !== true, animations: 'disabled' });
  } finally {
    await context.close();
  }
}

async function takeAll(origin: string, out: string): Promise<void> {
  const place = await prepareShop(origin);
  const chosen = statesOf((name) => `/product/${place.product(name).id}`).filter(({ name }) =>
    name.includes(only),
  );
  await mkdir(out, { recursive: true });
  // Parts of a screen that are drawn again have other corners than a screen drawn at once.
  const browser = await launchChromium('--disable-partial-raster', '--disable-checker-imaging');
  const failed: string[] = [];
  const takeThose = async (shop: ScreenState['shop']): Promise<void> => {
    await Promise.all(
      Object.entries(screens).map(async ([width, screen]) => {
        for (const state of chosen.filter((each) => each.shop === shop)) {
          const name = `${state.name}-${width}`;
          await take(browser, place, state, screen, join(out, `${name}.png`)).catch(
            (error: unknown) => failed.push(`${name}: ${String(error)}`),
          );
        }
      }),
    );
  };
  await takeThose(undefined);
  await emptyCatalogue(true);
  await takeThose('empty');
  await emptyCatalogue(false);
  await saveOccasion(place);
  await takeThose('occasion');
  await browser.close();
  if (failed.length > 0) throw new Error(failed.join('\n'));
}

const { values: options } = parseArgs({
  options: { out: { type: 'string' }, only: { type: 'string', default: '' } },
});
const { out, only } = options;
if (out === undefined) {
  console.error('Usage: npm run bench -- screenshots --out DIR [--only NAME]');
  process.exitCode = 1;
} else await withStack(({ origin }) => takeAll(origin, out));
