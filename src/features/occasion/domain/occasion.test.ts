import { expect, test } from 'vitest';
import { chooseOccasion, occasionSpan, parseOccasion } from './occasion.ts';
import { eachRow } from '#tests/each-row.ts';
import { product } from '#tests/unit/catalogue/catalogue-rows.ts';

const row = {
  heading: 'For Onam',
  sentence: 'Palakka and kasu, for the days of flowers.',
  first_day: '2026-08-18',
  last_day: '2026-08-26',
  products: ['c', 'a', 'b'],
};
const occasion = parseOccasion(row);
const [a, b, c] = ['a', 'b', 'c'].map((id) => product({ id }));
const all = [a, b, c, product({ id: 'other' })].filter((one) => one !== undefined);
const during = new Date('2026-08-20T06:00:00Z');
const shown = (products = all, now = during, chosen = occasion) =>
  chooseOccasion(products, chosen, now).map(({ id }) => id);

test('an occasion begins and ends at midnight in India', () => {
  const { from, until } = occasionSpan(occasion);
  expect([from, until].map((moment) => new Date(moment).toISOString())).toEqual([
    '2026-08-17T18:30:00.000Z',
    '2026-08-26T18:30:00.000Z',
  ]);
});

test('a page has the products of an occasion in its order until its last day is over, also ahead of its first', () =>
  eachRow(
    [
      ['2026-03-01T00:00:00Z', ['c', 'a', 'b']],
      ['2026-08-26T18:29:59Z', ['c', 'a', 'b']],
      ['2026-08-26T18:30:00Z', []],
    ] as const,
    ([now, ids]) => {
      expect(shown(all, new Date(now))).toEqual(ids);
    },
  ));

test('a product that is sold out or not in the shop is left out, and fewer than two are no occasion', () => {
  const soldOut = all.map((one) => (one.id === 'a' ? { ...one, stock: 0 } : one));
  expect(shown(soldOut)).toEqual(['c', 'b']);
  expect(shown(soldOut.filter(({ id }) => id !== 'c'))).toEqual([]);
});
