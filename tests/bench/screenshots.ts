/*
 * Pictures of the shoppers' pages, to see that a change of the styles changes nothing else. PORT and SHOP_DATA_DIR name a
 * stack that runs: `npm run bench -- screenshots --out DIR [--only NAME]` takes each state at both widths, and
 * `npm run bench -- screenshots --compare DIR DIR` counts the pixels that differ, with exit code 1 when any does. Two runs
 * on one build have differed in one picture of 96, of a product's page: look at what it names before you blame a style.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import sharp from 'sharp';
import { openSession, startWith, type Shopper } from '../browser/account/shoppers.ts';
import { cartLine, type ProductRow } from '../browser/catalogue/product-rows.ts';
import { findChromium } from '../browser/support/chromium.ts';
import { untilDrawn } from '../browser/support/page-state.ts';
import { insertRows, runningShop, supabaseAs } from '../browser/support/running-shop.ts';
import { countTraffic } from '../browser/support/traffic.ts';
import { inCart, inWishlist, statesOf, type ScreenState } from './screenshot-states.ts';

const screens = {
  360: { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true },
  1440: { viewport: { width: 1440, height: 900 } },
} satisfies Record<string, BrowserContextOptions>;

/** The shop of all states. */
interface Shop {
  url: string;
  product: (name: string) => ProductRow;
  shopper: Shopper;
}

/** The demo shopper's one order, made on the first run on a data folder. */
async function keepOneOrder(
  { id, name, images }: ProductRow,
  { session, email }: Shopper,
): Promise<void> {
  const known = await supabaseAs('shop').from('orders').select('id').eq('user_id', session.user.id);
  if (known.error) throw new Error(known.error.message);
  if (known.data.length > 0) return;
  await insertRows('orders', [
    {
      user_id: session.user.id,
      merchant_transaction_id: 'KSV-1-pictures',
      payment_id: 'pay_00000000000001',
      paid_at: new Date(),
      customer_name: 'Anjali Menon',
      customer_email: email,
      customer_phone: '+91 98470 12345',
      customer_address: '14 Temple Road',
      customer_city: 'Thrissur',
      customer_postal_code: '680001',
      items: [{ product_id: id, name, quantity: 1, price: 100, image: images[0] }],
      subtotal_paise: 10_000,
      fee_paise: 236,
      total_paise: 10_236,
      fee_bps: 236,
      hold_state: 'taken',
      status: 'COMPLETED',
      payment_status: 'COMPLETED',
    },
  ]);
}

async function openShop(): Promise<Shop> {
  const { url, shopper: credentials } = runningShop();
  const { data, error } = await supabaseAs('shop').from('products').select('*');
  if (error) throw new Error(error.message);
  const rows = data as ProductRow[];
  const product = (name: string): ProductRow => {
    const found = rows.find((row) => row.name === name);
    if (!found) throw new Error(`${name} is not in the catalogue: use a fresh data folder`);
    return found;
  };
  const shopper = await openSession(credentials);
  await keepOneOrder(product('Piriyan Rope Band'), shopper);
  return { url, product, shopper };
}

/** Brings the page to where nothing in it moves or loads, and texts that are another every day to fixed ones. */
async function settle(page: Page): Promise<void> {
  await page.addStyleTag({
    content:
      '*, ::before, ::after { animation: none !important; transition: none !important; content-visibility: visible !important; scroll-behavior: auto !important }',
  });
  await page.evaluate(() => {
    const months =
      'January|February|March|April|May|June|July|August|September|October|November|December';
    const day = new RegExp(
      String.raw`\d{1,2} (?:${months}|${months.replaceAll(/(\w{3})\w*/gu, '$1')})(?: \d{4})?`,
      'gu',
    );
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      node.nodeValue = (node.nodeValue ?? '')
        .replaceAll(day, '1 January')
        .replaceAll(/KSV-\d+-\w+|order #\d+/giu, 'Order')
        .replaceAll(/pay_\w{14}/gu, 'pay');
    }
    // Which thumbnails are there, and by which address, goes by what was in view and loaded.
    for (const pictures of document.querySelectorAll<
      HTMLElement & { fill?: (count: number) => void }
    >('card-pictures')) {
      pictures.fill?.(9);
      const source = pictures.querySelector<HTMLImageElement>('picture img')?.src ?? '';
      for (const image of pictures.querySelectorAll<HTMLImageElement>('[data-thumb] img'))
        image.src = source;
    }
  });
  await untilLoaded(page);
}

async function untilLoaded(page: Page): Promise<void> {
  await page.evaluate(async () => {
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
  { url, product, shopper }: Shop,
  { path, kept, act, screenOnly, withoutScripts }: ScreenState,
  screen: BrowserContextOptions,
  file: string,
): Promise<void> {
  const context = await browser.newContext({
    ...screen,
    baseURL: url,
    reducedMotion: 'reduce',
    bypassCSP: true,
    javaScriptEnabled: withoutScripts !== true,
  });
  try {
    const cart =
      kept?.cart === true
        ? { cart: inCart.map((name, index) => cartLine(product(name), index + 1)) }
        : {};
    await startWith(context, { ...cart, ...(kept?.signedIn === true ? { shopper } : {}) });
    const entries = inWishlist.map((name, index) => ({
      id: product(name).id,
      at: 1_700_000_000_000 - index,
    }));
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
    // An optional font is drawn or not by how fast it came.
    await page.route(
      (address) => !/\.\w+$/u.test(address.pathname),
      async (route) => {
        if (route.request().resourceType() !== 'document') return route.fallback();
        const response = await route.fetch();
        await route.fulfill({
          response,
          body: (await response.text()).replaceAll(
            /font-display: ?optional/gu,
            'font-display:block',
          ),
        });
      },
    );
    const traffic = await countTraffic(page);
    await page.goto(path);
    if (withoutScripts === true) await untilLoaded(page);
    else {
      await traffic.quiet();
      await untilDrawn(page);
      await act?.(page);
      // Twice: what is shown anew may ask for more.
      for (let round = 0; round < 2; round += 1) {
        await traffic.quiet();
        await settle(page);
      }
      if (screenOnly !== true)
        await page.evaluate(() => {
          scrollTo(0, 0);
        });
    }
    await page.screenshot({ path: file, fullPage: screenOnly !== true, animations: 'disabled' });
  } finally {
    await context.close();
  }
}

async function takeAll(out: string, only: string | undefined): Promise<void> {
  const place = await openShop();
  const states = statesOf((name) => `/product/${place.product(name).id}`).filter(
    ({ name }) => only === undefined || name.includes(only),
  );
  await mkdir(out, { recursive: true });
  const executablePath = findChromium();
  const browser = await chromium.launch({
    // Parts of a screen that are drawn again have other corners than a screen drawn at once.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-partial-raster',
      '--disable-checker-imaging',
    ],
    ...(executablePath === null ? {} : { executablePath }),
  });
  const failed: string[] = [];
  await Promise.all(
    Object.entries(screens).map(async ([width, screen]) => {
      for (const state of states)
        await take(browser, place, state, screen, join(out, `${state.name}-${width}.png`)).catch(
          (error: unknown) => {
            failed.push(`${state.name}-${width}: ${String(error)}`);
          },
        );
    }),
  );
  await browser.close();
  if (failed.length > 0) throw new Error(failed.join('\n'));
}

/** How many pixels differ and in which part of the picture, as a text; null when none does. */
async function differenceOf(before: string, after: string): Promise<string | null> {
  const [a, b] = await Promise.all(
    [before, after].map(async (file) =>
      sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true }),
    ),
  );
  if (!a || !b || a.info.width !== b.info.width || a.info.height !== b.info.height)
    return `another size: ${String(a?.info.width)} × ${String(a?.info.height)} and ${String(b?.info.width)} × ${String(b?.info.height)}`;
  const differ = Array.from({ length: a.data.length / 4 }, (_, at) => at).filter(
    (at) => a.data.readUInt32LE(at * 4) !== b.data.readUInt32LE(at * 4),
  );
  if (differ.length === 0) return null;
  const [columns, rows] = [
    differ.map((at) => at % a.info.width).sort((x, y) => x - y),
    differ.map((at) => Math.floor(at / a.info.width)),
  ];
  return `${String(differ.length)} pixels differ, from ${String(columns[0])},${String(rows[0])} to ${String(columns.at(-1))},${String(rows.at(-1))}`;
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, only: { type: 'string' }, compare: { type: 'boolean' } },
});
const [before, after] = positionals;
if (options.out !== undefined) await takeAll(options.out, options.only);
else if (options.compare === true && before !== undefined && after !== undefined) {
  const [files, others] = await Promise.all([readdir(before), readdir(after)]);
  for (const file of new Set([...files, ...others])) {
    const difference =
      files.includes(file) && others.includes(file)
        ? await differenceOf(join(before, file), join(after, file))
        : 'taken only once';
    if (difference !== null) process.exitCode = 1;
    console.log(
      `${difference === null ? 'same  ' : 'OTHER '} ${file}${difference === null ? '' : `: ${difference}`}`,
    );
  }
} else
  throw new Error(
    'Usage: npm run bench -- screenshots --out DIR [--only NAME] | --compare DIR DIR',
  );
