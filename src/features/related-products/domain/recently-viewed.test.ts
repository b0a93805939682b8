import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addRecentlyViewed,
  parseRecentlyViewed,
  recentlyViewedExcept,
  type RecentlyViewedProduct,
} from './recently-viewed.ts';
import { eachRow } from '../../../../tests/each-row.ts';

const product = (
  id: string,
  changes: Partial<RecentlyViewedProduct> = {},
): RecentlyViewedProduct => ({
  id,
  name: `Ring ${id}`,
  image: 'products/a.webp',
  price: 100_000,
  offerPrice: null,
  ...changes,
});
const anyProducts = fc.array(
  fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g').map((id) => product(id)),
  { maxLength: 30 },
);

describe('products seen', () => {
  test('are read as they were written', () => {
    const list = [product('a', { offerPrice: 90_000 }), product('b', { image: '' })];
    expect(parseRecentlyViewed(JSON.stringify(list))).toEqual(list);
  });

  test('from a text that is missing or broken are none', () =>
    eachRow(
      [
        undefined,
        '',
        'null',
        '{}',
        '"a"',
        '[[',
        '[1,null,{}]',
        '[{"id":"a","name":"","image":"","price":1}]',
      ],
      (text) => {
        expect(parseRecentlyViewed(text)).toEqual([]);
      },
    ));

  test('leave out what does not parse, and keep the others', () => {
    expect(
      parseRecentlyViewed(
        JSON.stringify([{ id: 'x' }, product('b'), { ...product('c'), price: -1 }, product('b')]),
      ),
    ).toEqual([product('b')]);
  });

  test('are read from any text without an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(parseRecentlyViewed(text).length).toBeLessThanOrEqual(5);
      }),
    );
  });

  test('keep the newest first, each once, five of them', () => {
    fc.assert(
      fc.property(anyProducts, (visits) => {
        const list = visits.reduce<RecentlyViewedProduct[]>(
          (seen, visit) => addRecentlyViewed(seen, visit),
          [],
        );
        const newest = [...new Set(visits.map(({ id }) => id).reverse())].slice(0, 5);
        expect(list.map(({ id }) => id)).toEqual(newest);
      }),
    );
  });

  test('before this one are up to four others', () => {
    const list = ['a', 'b', 'c', 'd', 'e'].map((id) => product(id));
    expect(recentlyViewedExcept(list, 'c').map(({ id }) => id)).toEqual(['a', 'b', 'd', 'e']);
    expect(recentlyViewedExcept(list, undefined)).toHaveLength(4);
    expect(recentlyViewedExcept([product('a')], 'a')).toEqual([]);
  });
});
