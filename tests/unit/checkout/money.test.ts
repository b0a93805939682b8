import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paiseFromText, rupeeText } from '#domain/admin/typed-rupees.ts';
import { formatRupees, paiseFromRupees, rupeesFromPaise } from '#domain/money.ts';
import { platformFee } from '#domain/sums/platform-fee.ts';
import { eachRow } from '#tests/each-row.ts';
import { times } from '#tests/soak.ts';

describe('rupees as a person types them', () => {
  test('are read with spaces, commas and the sign', () =>
    eachRow(
      [
        ['499', 49_900],
        ['499.5', 49_950],
        ['₹ 1,23,456.05', 12_345_605],
        ['Rs. 499/-', 49_900],
        ['.50', 50],
        [' 0.29 ', 29],
        ['1.1', 110],
        ['0', 0],
        ['1,234,567', 123_456_700],
      ],
      ([text, paise]) => {
        expect(paiseFromText(text)).toBe(paise);
      },
    ));

  test('are no amount in any other spelling', () =>
    eachRow(['', '499,50', '1,23', '12,34,5', '1.999', '-5', '1e3', '1,', '1.2.3', '٣'], (text) => {
      expect(paiseFromText(text)).toBeNull();
    }));

  test('every amount is read back as it was shown, to the paisa', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), (paise) => {
        expect(paiseFromText(rupeeText(paise))).toBe(paise);
      }),
    );
  });
});

describe('reading rupees', () => {
  test('rupees as number or text are paise, the half paisa rounded away from zero', () =>
    eachRow(
      [
        [0, 0],
        [0.1 + 0.2, 30],
        [1.005, 101],
        [8.345, 835],
        [1.004999, 100],
        [-1.005, -101],
        ['1234.56', 123_456],
        [' 99.90 ', 9_990],
      ],
      ([rupees, paise]) => {
        expect(paiseFromRupees(rupees)).toBe(paise);
      },
    ));

  test('only finite decimal numbers are amounts', () =>
    eachRow(
      [Number.NaN, Infinity, Number.MAX_SAFE_INTEGER, '', '   ', '12,34', '₹12', '1e400', '0x10'],
      (value) => {
        expect(paiseFromRupees(value)).toBeNull();
      },
    ));

  test('a tiny negative amount is plain zero, never minus zero', () => {
    expect(Object.is(paiseFromRupees(-0.001), 0)).toBe(true);
    expect(Object.is(paiseFromRupees('-0'), 0)).toBe(true);
  });

  test('every amount of whole paise survives the way out to rupees and back, as number and as text', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 10_000_000_000 }), (paise) => {
        const rupees = rupeesFromPaise(paise);
        expect(paiseFromRupees(rupees)).toBe(paise);
        expect(paiseFromRupees(rupees.toFixed(2))).toBe(paise);
        expect(paiseFromRupees(`${rupees.toFixed(2)}000`)).toBe(paise);
      }),
      { numRuns: times(2_000, 5_000) },
    );
  });

  test('any text gives a safe integer or null, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String)), (text) => {
        const paise = paiseFromRupees(text);
        expect(paise === null || Number.isSafeInteger(paise)).toBe(true);
      }),
      { numRuns: times(2_000, 5_000) },
    );
  });
});

describe('writing rupees', () => {
  test('paise are written in rupees with Indian grouping, two decimals and a true minus', () => {
    expect([12_345_605, 5, -150].map(formatRupees)).toEqual(['₹1,23,456.05', '₹0.05', '−₹1.50']);
  });

  test('amounts are grouped as en-IN groups them', () => {
    const standard = new Intl.NumberFormat('en-IN', {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    });
    fc.assert(
      fc.property(fc.integer({ min: -100_000_000_000, max: 100_000_000_000 }), (paise) => {
        const text = standard.format(Math.abs(paise) / 100);
        expect(formatRupees(paise)).toBe(paise < 0 ? `−₹${text}` : `₹${text}`);
      }),
      { numRuns: times(2_000, 5_000) },
    );
  });
});

describe('the platform fee', () => {
  /** round(subtotal × 1.0236) − subtotal, half up, without binary fractions. */
  const exactFee = (subtotal: number): number =>
    Number((BigInt(subtotal) * 10_236n + 5_000n) / 10_000n) - subtotal;

  test('at any rate, half a paisa is rounded up and less than half is not', () => {
    expect([
      platformFee(4_999, 1),
      platformFee(5_000, 1),
      platformFee(14_999, 1),
      platformFee(15_000, 1),
    ]).toEqual([0, 1, 1, 2]);
  });

  test('it is round(subtotal × 1.0236) − subtotal to the paisa for any subtotal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (subtotal) => {
        expect(platformFee(subtotal, 236)).toBe(exactFee(subtotal));
      }),
      { numRuns: times(4_000, 20_000) },
    );
  });

  test('it is exact for each of the first hundred thousand subtotals, where the half paise lie', () => {
    const wrong: number[] = [];
    for (let subtotal = 0; subtotal <= 100_000; subtotal += 1) {
      if (platformFee(subtotal, 236) !== exactFee(subtotal)) wrong.push(subtotal);
    }
    expect(wrong).toEqual([]);
  });
});
