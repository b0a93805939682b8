import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paiseFromText, rupeeText } from '../../../src/domain/admin/typed-rupees.ts';
import {
  formatRupees,
  paiseFromRupees,
  platformFee,
  rupeesFromPaise,
} from '../../../src/domain/money.ts';
import { eachRow } from '../../each-row.ts';
import { times } from '../../soak.ts';

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
    eachRow(
      [
        '',
        '499,50',
        '1,23',
        '12,34,5',
        '1.999',
        '-5',
        '1e3',
        '0x10',
        '12 rupees',
        '1,',
        ',5',
        '1.2.3',
        '∞',
        'abc',
        '٣',
      ],
      (text) => {
        expect(paiseFromText(text)).toBeNull();
      },
    ));

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
        [1, 100],
        [1234.56, 123_456],
        [0.1 + 0.2, 30],
        [1.005, 101],
        [8.345, 835],
        [1.004999, 100],
        [-1.005, -101],
        [1_000_000, 100_000_000],
        ['1234.56', 123_456],
        ['1234.5', 123_450],
        ['1234', 123_400],
        ['0.00', 0],
        [' 99.90 ', 9_990],
        ['1000000.00', 100_000_000],
      ],
      ([rupees, paise]) => {
        expect(paiseFromRupees(rupees)).toBe(paise);
      },
    ));

  test('only finite decimal numbers are amounts', () =>
    eachRow(
      [
        Number.NaN,
        Infinity,
        -Infinity,
        Number.MAX_VALUE,
        Number.MAX_SAFE_INTEGER,
        '',
        '   ',
        'abc',
        '12,34',
        '₹12',
        '1_000',
        'NaN',
        'Infinity',
        '1e400',
        '0x10',
        '0b11',
      ],
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
  test('paise are written in rupees with Indian grouping and two decimals', () =>
    eachRow(
      [
        [12_345_600, '₹1,23,456.00'],
        [0, '₹0.00'],
        [5, '₹0.05'],
        [100, '₹1.00'],
        [99_999, '₹999.99'],
        [100_000, '₹1,000.00'],
        [10_000_000, '₹1,00,000.00'],
        [100_000_000, '₹10,00,000.00'],
        [1_234_567_890_12, '₹1,23,45,67,890.12'],
        [-150, '−₹1.50'],
      ],
      ([paise, text]) => {
        expect(formatRupees(paise)).toBe(text);
      },
    ));

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

  test('the written digits are the charged paise', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (paise) => {
        expect(Number(formatRupees(paise).replace(/[₹,.]/gu, ''))).toBe(paise);
      }),
      { numRuns: times(2_000, 5_000) },
    );
  });
});

describe('the platform fee', () => {
  /** round(subtotal × 1.0236) − subtotal, half up, without binary fractions. */
  const exactFee = (subtotal: number): number =>
    Number((BigInt(subtotal) * 10_236n + 5_000n) / 10_000n) - subtotal;

  test('it is 2.36 % of the subtotal, rounded to the paisa', () =>
    eachRow(
      [
        [0, 0],
        [100, 2],
        [10_000, 236],
        [100_000, 2_360],
        [1_250, 30],
        [97_694_412, 2_305_588],
      ],
      ([subtotal, fee]) => {
        expect(platformFee(subtotal, 236)).toBe(fee);
      },
    ));

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

  test('it agrees with the rounding of the decimal product wherever that is not a tie', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (subtotal) => {
        fc.pre((subtotal * 236) % 10_000 !== 5_000);
        expect(subtotal + platformFee(subtotal, 236)).toBe(Math.round(subtotal * 1.0236));
      }),
      { numRuns: times(4_000, 20_000) },
    );
  });
});
