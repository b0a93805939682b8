import { chargeRows, rowsPaise } from '#domain/sums/sum-rows.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { faultsOf } from '#integrations/check-shop/check-shop.ts';
import type { ShopFolder } from '#shop-schema/shop-schema.ts';
import { anyShop, choices, someShops, unsampled } from '#tests/shop-generator.ts';
import { nonsenseIn } from '#tests/words-of-shop.ts';

/* The engine goes with any shop that its schema allows. `npm run bench -- shops` builds a few of them and runs all unit tests there. */

test('every setting that may be left out takes part, and none that is no setting', () => {
  expect(choices.length).toBeGreaterThan(15);
  expect(unsampled()).toEqual([]);
});

test('no shop of the generator has a fault, and the generator leaves nothing on or off in all of them', () => {
  const seen = new Map<string, Set<boolean>>();
  const kinds = new Set<string>();
  fc.assert(
    fc.property(anyShop, (settings) => {
      expect(faultsOf(settings)).toEqual([]);
      kinds.add(settings.tax.registration.kind);
      for (const [name, is] of [
        ['cash', settings.delivery.cashOnDelivery !== undefined],
        ['advance', settings.delivery.cashOnDelivery?.advance !== undefined],
        ['reviews', settings.shop.reviews.askAfterDays !== undefined],
        ['left carts', settings.seller.mails.leftCartAfterHours !== undefined],
        ['fee', settings.shop.platformFeeBps > 0],
      ] as const)
        seen.set(name, (seen.get(name) ?? new Set()).add(is));
    }),
    { numRuns: 200 },
  );
  expect([...kinds].sort()).toEqual(['composition', 'regular', 'unregistered']);
  expect([...seen].filter(([, both]) => both.size < 2)).toEqual([]);
});

/** The modules of `src/shop` with these settings in them. */
function standIn({
  shop,
  seller,
  legal,
  delivery,
  tax,
  categories,
  search,
  theme,
}: ShopFolder): void {
  vi.resetModules();
  vi.doMock('#shop/shop.ts', () => ({ shop }));
  vi.doMock('#shop/seller.ts', () => ({ seller, legal }));
  vi.doMock('#shop/delivery.ts', () => ({ delivery }));
  vi.doMock('#shop/tax.ts', () => ({ tax }));
  vi.doMock('#shop/categories.ts', () => ({ categories }));
  vi.doMock('#shop/search.ts', () => ({ search }));
  vi.doMock('#shop/theme.ts', () => ({ theme }));
}
afterEach(() => {
  for (const name of ['shop', 'seller', 'delivery', 'tax', 'categories', 'search', 'theme'])
    vi.doUnmock(`../../../src/shop/${name}.ts`);
  vi.resetModules();
});

const texts = 'src/shop/texts';
/** What no sentence of a page or mail has, whatever is left out. */
const broken = /\{\{|\}\}| ,| \.(?:\s|$)|,\.|\(\)|₹(?:NaN|undefined)|\b0\.00%/u;

describe.each(someShops(6).map((settings) => [settings.shop.name, settings] as const))(
  'in the shop %s',
  (_, settings) => {
    test('no text and no mail has a value that is missing, or a sentence that a setting left broken', async () => {
      standIn(settings);
      const { fillFacts } = await import('#domain/texts/facts.ts');
      const found: string[] = [];
      for (const file of readdirSync(texts).filter((name) => /\.(?:md|yaml)$/u.test(name))) {
        const text = readFileSync(join(texts, file), 'utf8')
          // Comments of YAML, its indentation, and the blocks of a policy, which are pages' own.
          .replaceAll(/^# .*$/gmu, '')
          .replaceAll(/^ +/gmu, '')
          .replaceAll(/\{\{\/?[a-z]+-[a-z-]+\}\}/gu, 'BLOCK');
        const filled = fillFacts(text, file);
        for (const word of nonsenseIn(file, filled)) found.push(`${file}: ${word}`);
        for (const line of filled.split('\n'))
          if (broken.test(line)) found.push(`${file}: ${line}`);
      }
      // Signs the links in mails.
      vi.stubEnv('SUPABASE_SECRET_KEY', 'sb_secret_0123456789');
      vi.stubEnv('SUPABASE_URL', 'https://shop.supabase.co');
      const { sampleMails } = await import('#tests/functions/support/sample-mails.ts');
      const mails = sampleMails();
      expect(mails.length).toBeGreaterThan(20);
      for (const { kind, subject, text, html } of mails) {
        for (const word of nonsenseIn(kind, `${subject}\n${text}\n${html}`))
          found.push(`${kind}: ${word}`);
        if (/ ,|,\.|\(\)|₹(?:NaN|undefined)/u.test(text)) found.push(`${kind}: ${text}`);
        expect(html).toContain(
          settings.shop.name.replaceAll('&', '&amp;').replaceAll("'", '&#39;'),
        );
      }
      expect(found).toEqual([]);
    });

    test('the cart, the way to pay at the door and a document add up', async () => {
      standIn(settings);
      const { summarizeCart } = await import('#domain/cart/cart-summary.ts');
      const { addToCart, emptyCart } = await import('#domain/cart/cart.ts');
      const { cashOnDelivery } = await import('#settings/cash-on-delivery.ts');
      const product = { id: 'a', name: 'A', category: 'a', images: [], stock: 9, sizes: [] };
      const cart = addToCart(emptyCart, { ...product, price: 164_749, offerPrice: null });
      const now = summarizeCart(cart);
      const fee = rowsPaise(now.rows, 'fee');
      expect(now.total).toBe(164_749 + fee);
      expect(fee > 0).toBe(settings.shop.platformFeeBps > 0);
      if (cashOnDelivery === null) return;
      const { rows, total, cash } = summarizeCart(cart, null, { way: 'door' });
      expect(rows.map(({ kind }) => kind)).toContain('rounding');
      expect(total).toBe(164_749 + rowsPaise(chargeRows(rows)));
      expect([total % 100, (cash?.due ?? 1) % 100]).toEqual([0, 0]);
    });
  },
);
