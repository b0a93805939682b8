import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInPrice, readPrice } from '#domain/catalogue/listing/search-price.ts';
import { eachRow } from '#tests/each-row.ts';

const most = Number.MAX_SAFE_INTEGER;

describe('a price in a search', () => {
  test('is read as people write it, and the other words are left', () =>
    eachRow(
      [
        ['under 1500', 0, 150_000, ''],
        ['rings below rs. 2,000', 0, 200_000, 'rings'],
        ['within 1000', 0, 100_000, ''],
        ['upto 2k', 0, 200_000, ''],
        ['up to 1.5k earrings', 0, 150_000, 'earrings'],
        ['less than ₹999', 0, 99_900, ''],
        ['budget 3000 rupees', 0, 300_000, ''],
        ['₹500-1000', 50_000, 100_000, ''],
        ['500 to 1000 rs', 50_000, 100_000, ''],
        ['1-2k bangle', 100_000, 200_000, 'bangle'],
        ['gift between 500 and 1,000', 50_000, 100_000, 'gift'],
        ['above 5000', 500_000, most, ''],
        ['rs 999 studs', 0, 99_900, 'studs'],
        ['studs 999/-', 0, 99_900, 'studs'],
      ] as const,
      ([typed, from, to, rest]) => {
        const read = readPrice(typed);
        expect(read.price).toMatchObject({ from, to });
        expect(read.rest.trim().replaceAll(/\s+/gu, ' ')).toBe(rest);
      },
    ));

  test('is none where a number is a size, a count or a name', () =>
    eachRow(
      [
        'bangle 2-4',
        '2/6',
        'ring 14',
        'under 18',
        '10 & 18',
        '916 gold',
        '1 gram gold',
        '7 stone',
        'thunder 1500x',
        'between 1000 and 500',
      ],
      (typed) => {
        expect(readPrice(typed)).toEqual({ price: null, rest: typed });
      },
    ));

  test('under a sum leaves the sum itself out, up to it takes it in', () => {
    const below = readPrice('under 1500').price;
    const upTo = readPrice('upto 1500').price;
    if (!below || !upTo) throw new Error('No price was read');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400_000 }), (charged) => {
        expect(isInPrice(charged, below)).toBe(charged < 150_000);
        expect(isInPrice(charged, upTo)).toBe(charged <= 150_000);
      }),
    );
  });
});
