import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  sortLabels,
  sortListed,
  sortOrders,
} from '../../../src/domain/catalogue/listing/listing.ts';
import { chargedPrice } from '../../../src/domain/catalogue/product.ts';
import { eachRow } from '../../each-row.ts';

const piece = (changes: Partial<Parameters<typeof sortListed>[0][number]> = {}) => ({
  name: 'Palakka Ring',
  price: 100_000,
  offerPrice: null,
  stock: 5,
  createdAt: '2026-01-01T00:00:00+00:00',
  ...changes,
});
const names = (pieces: readonly { name: string }[]) => pieces.map((each) => each.name);

describe('sorting', () => {
  test('the choices read as in the shop', () => {
    expect(sortOrders.map((order) => sortLabels[order])).toEqual([
      'Name A-Z',
      'Price Low to High',
      'Price High to Low',
      'Latest',
    ]);
  });

  test('by name: letters in any case, numbers by their value', () => {
    const pieces = ['ring 10', 'Bangle', 'Ring 2', 'anklet', 'Éclat', 'Zari'].map((name) =>
      piece({ name }),
    );
    expect(names(sortListed(pieces, 'name'))).toEqual([
      'anklet',
      'Bangle',
      'Éclat',
      'Ring 2',
      'ring 10',
      'Zari',
    ]);
  });

  test('by price: what is charged counts, so an offer moves a piece', () => {
    const pieces = [
      piece({ name: 'dear on offer', price: 900_000, offerPrice: 10_000 }),
      piece({ name: 'cheap', price: 20_000 }),
      piece({ name: 'dear', price: 800_000 }),
    ];
    expect(names(sortListed(pieces, 'price-low'))).toEqual(['dear on offer', 'cheap', 'dear']);
    expect(names(sortListed(pieces, 'price-high'))).toEqual(['dear', 'cheap', 'dear on offer']);
  });

  test('by date: newest first, however the database writes the time', () => {
    const pieces = [
      piece({ name: 'no date', createdAt: '' }),
      piece({ name: 'whole second', createdAt: '2026-03-01T10:00:00+00:00' }),
      piece({ name: 'half a second later', createdAt: '2026-03-01T10:00:00.5+00:00' }),
      piece({ name: 'an hour earlier in India', createdAt: '2026-03-01T14:30:00+05:30' }),
      piece({ name: 'last year', createdAt: '2025-12-31T23:59:59Z' }),
    ];
    const newestFirst = [
      'half a second later',
      'whole second',
      'an hour earlier in India',
      'last year',
      'no date',
    ];
    expect(names(sortListed(pieces, 'latest'))).toEqual(newestFirst);
    expect(names(sortListed(pieces.toReversed(), 'latest'))).toEqual(newestFirst);
  });

  test('sold-out pieces come last in every order', () =>
    eachRow(sortOrders, (order) => {
      const pieces = [
        piece({ name: 'A gone', price: 1, stock: 0, createdAt: '2027-01-01T00:00:00Z' }),
        piece({ name: 'Z gone', price: 99_999_999, stock: 0, createdAt: '2027-01-01T00:00:00Z' }),
        piece({ name: 'M here', stock: 1 }),
      ];
      expect(names(sortListed(pieces, order))[0]).toBe('M here');
    }));

  test('every order keeps every piece and the given list, and goes by name among equals', () =>
    eachRow(sortOrders, (order) => {
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
        fc.property(fc.array(anyListed, { maxLength: 12 }), (pieces) => {
          const copy = structuredClone(pieces);
          const sorted = sortListed(pieces, order);
          expect(pieces).toEqual(copy);
          expect(new Set(sorted)).toEqual(new Set(pieces));
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
