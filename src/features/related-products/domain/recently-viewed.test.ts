import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addRecentlyViewed,
  parseRecentlyViewed,
  recentlyViewedExcept,
  type RecentlyViewedProduct,
} from './recently-viewed.ts';
import { eachRow } from '#tests/each-row.ts';

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
  test('from a text that is missing or broken are none', () =>
    eachRow([undefined, '', 'null', '{}', '[[', '[1,null,{}]'], (text) => {
      expect(parseRecentlyViewed(text)).toEqual([]);
    }));

  test('leave out what does not parse, and keep the others', () => {
    const list = [{ id: 'x' }, product('b'), { ...product('c'), price: -1 }, product('b')];
    expect(parseRecentlyViewed(JSON.stringify(list))).toEqual([product('b')]);
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
