import { expect, test, vi } from 'vitest';
import { addToCart, emptyCart } from '#domain/cart/cart.ts';
import { summarizeCart } from '#domain/cart/cart-summary.ts';
import { parseTerms, termsText, tidyCode } from '#domain/cart/discount-terms.ts';
import { discountCodeSchema, discountRefusalText } from '#domain/checkout/discount-refusal.ts';
import { ring } from '#tests/unit/support/arbitraries.ts';
import { eachRow } from '#tests/each-row.ts';

vi.mock('#shop/shop.ts', async () => ({
  shop: (await import('#tests/sample-shop.ts')).sampleShop,
}));

/** The summary with the amounts of its rows by their kind. */
function summed(...args: Parameters<typeof summarizeCart>) {
  const { rows, ...summary } = summarizeCart(...args);
  return { ...summary, amounts: Object.fromEntries(rows.map(({ kind, paise }) => [kind, paise])) };
}

test('a code counts from its least cart on, and the fee is of what is left', () => {
  const terms = parseTerms({
    code: 'VISHU',
    percent: null,
    amount_paise: 25_000,
    min_paise: 150_000,
  });
  const cart = (quantity: number) =>
    addToCart(emptyCart, ring({ price: 100_000, stock: 9 }), quantity);
  expect(summed(cart(1), terms)).toEqual({
    code: null,
    total: 102_360,
    cash: null,
    amounts: { goods: 100_000, fee: 2_360 },
  });
  expect(summed(cart(2), terms)).toEqual({
    code: 'VISHU',
    total: 179_130,
    cash: null,
    amounts: { goods: 200_000, discount: -25_000, fee: 4_130 },
  });
  // The least cart itself is enough.
  expect(summed(cart(1), { ...terms, minSubtotal: 100_000 })).toMatchObject({
    code: 'VISHU',
    amounts: { discount: -25_000 },
  });
  expect(summarizeCart(cart(1), { ...terms, minSubtotal: 100_001 }).code).toBeNull();
  expect(termsText(terms)).toBe('₹250.00 off carts from ₹1,500.00');
  expect(termsText({ ...terms, percent: 10, amount: null, minSubtotal: 0 })).toBe('10% off');
  expect(() =>
    parseTerms({ code: 'VISHU', percent: -1, amount_paise: null, min_paise: 0 }),
  ).toThrow();
});

test('half a paisa of a percentage is a paisa more off, and less is none', () =>
  eachRow(
    [
      [149, 1, 1],
      [150, 1, 2],
      [10_049, 1, 100],
      [50, 3, 2],
    ] as const,
    ([price, percent, discount]) => {
      const terms = { code: 'VISHU', percent, amount: null, minSubtotal: 0 };
      const { amounts } = summed(addToCart(emptyCart, ring({ price })), terms);
      expect(amounts['discount']).toBe(-discount || undefined);
    },
  ));

test('a code is read as people type it, and an invalid one is refused', () =>
  eachRow(
    [
      [' onam 10 ', 'ONAM10', true],
      ['on-am', 'ON-AM', true],
      ['ＯＮＡＭ10', 'ONAM10', true],
      ['ON\u200BAM', 'ONAM', true],
      ['abc', 'ABC', false],
      ['-ABCD', '-ABCD', false],
      ['ONAM%', 'ONAM%', false],
      ['A'.repeat(21), 'A'.repeat(21), false],
    ] as const,
    ([typed, tidy, good]) => {
      expect(tidyCode(typed)).toBe(tidy);
      expect(discountCodeSchema.safeParse(typed).success).toBe(good);
    },
  ));

test('each refusal says what to do', () => {
  const text = (refusal: Parameters<typeof discountRefusalText>[1]) =>
    discountRefusalText('ONAM', refusal);
  expect([
    text({ reason: 'not_yet', first_day: '2026-12-05' }),
    text({ reason: 'cart_too_small', min_paise: 150_000 }),
    text({ reason: 'used_up' }),
    text({ reason: 'over' }),
  ]).toEqual([
    'The code ONAM is valid from Sat 5 Dec.',
    'The code ONAM is for carts from ₹1,500.00.',
    'The code ONAM has been used up.',
    'The code ONAM has expired.',
  ]);
});
