import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sortListed, usualOrders } from '#domain/catalogue/listing/listing.ts';
import { chargedPrice } from '#domain/catalogue/product.ts';
import { product } from './catalogue-rows.ts';
import { eachRow } from '#tests/each-row.ts';

const names = (products: readonly { name: string }[]) => products.map((each) => each.name);

describe('sorting', () => {
  test('by name: letters in any case, numbers by their value', () => {
    const sorted = ['anklet', 'Bangle', 'Éclat', 'Ring 2', 'ring 10', 'Zari'];
    const products = sorted.toReversed().map((name) => product({ name }));
    expect(names(sortListed(products, 'name'))).toEqual(sorted);
  });

  test('by date: newest first, however the database writes the time', () => {
    const newestFirst = [
      product({ name: 'half a second later', createdAt: '2026-03-01T10:00:00.5+00:00' }),
      product({ name: 'whole second', createdAt: '2026-03-01T10:00:00+00:00' }),
      product({ name: 'an hour earlier in India', createdAt: '2026-03-01T14:30:00+05:30' }),
      product({ name: 'last year', createdAt: '2025-12-31T23:59:59Z' }),
      product({ name: 'no date', createdAt: '' }),
    ];
    expect(sortListed(newestFirst, 'latest')).toEqual(newestFirst);
    expect(sortListed(newestFirst.toReversed(), 'latest')).toEqual(newestFirst);
  });

  test('every order keeps every product and the given list, and goes by name among equals', () =>
    eachRow(usualOrders, (order) => {
      const anyListed = fc.record({
        name: fc.string({ maxLength: 6 }),
        price: fc.integer({ min: 1, max: 5 }),
        offerPrice: fc.option(fc.integer({ min: 1, max: 5 })),
        stock: fc.integer({ min: 0, max: 2 }),
        createdAt: fc.constantFrom(
          '2026-01-01T00:00:00Z',
          '2026-01-02T00:00:00.25Z',
          'not a date',
          '',
        ),
      });
      fc.assert(
        fc.property(fc.array(anyListed, { maxLength: 12 }), (products) => {
          const copy = structuredClone(products);
          const sorted = sortListed(products, order);
          expect(products).toEqual(copy);
          expect(new Set(sorted)).toEqual(new Set(products));
          const gone = sorted.map((each) => each.stock <= 0);
          expect(gone).toEqual(gone.toSorted((a, b) => Number(a) - Number(b)));
          if (order === 'price-low' || order === 'price-high') {
            const prices = sorted.filter((each) => each.stock > 0).map(chargedPrice);
            expect(prices).toEqual(
              prices.toSorted((a, b) => (order === 'price-low' ? a - b : b - a)),
            );
          }
          expect(names(sortListed(sorted, order))).toEqual(names(sorted));
        }),
      );
    }));
});
