import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitTax, taxClass } from '../../../src/domain/invoice/gst.ts';
import { eachRow } from '../../each-row.ts';
import { times } from '../../soak.ts';

describe('an amount that includes GST', () => {
  test('is split in halves within Kerala, and is one tax elsewhere', () =>
    eachRow(
      [
        ['₹1,030 at 3 %', 103_000, 300, 100_000, 1_500],
        ['₹1,180 at 18 %', 118_000, 1_800, 100_000, 9_000],
        ['the platform fee on ₹1,000', 2_360, 1_800, 2_000, 180],
        ['one paisa', 1, 1_800, 1, 0],
        ['half a paisa of half tax, rounded up', 35, 300, 33, 1],
        ['nothing', 0, 300, 0, 0],
        ['a discount', -103_000, 300, -100_000, -1_500],
      ],
      ([, gross, rate, taxable, half]) => {
        expect(splitTax(gross, rate, false)).toEqual({
          taxablePaise: taxable,
          cgstPaise: half,
          sgstPaise: half,
          igstPaise: 0,
        });
        expect(splitTax(gross, rate, true)).toEqual({
          taxablePaise: taxable,
          cgstPaise: 0,
          sgstPaise: 0,
          igstPaise: 2 * half,
        });
      },
    ));

  const amounts = fc.integer({ min: -100_000_000, max: 100_000_000 });
  const rates = fc.constantFrom(0, 25, 300, 500, 1_200, 1_800, 2_800, 4_000);

  test('is its taxable value and its tax again, to the paisa, with CGST the same as SGST and IGST their sum', () => {
    fc.assert(
      fc.property(amounts, rates, (gross, rate) => {
        const home = splitTax(gross, rate, false);
        const away = splitTax(gross, rate, true);
        expect(home.cgstPaise).toBe(home.sgstPaise);
        expect(home.taxablePaise + home.cgstPaise + home.sgstPaise + home.igstPaise).toBe(gross);
        expect(away.taxablePaise + away.cgstPaise + away.sgstPaise + away.igstPaise).toBe(gross);
        expect(away.igstPaise).toBe(home.cgstPaise + home.sgstPaise);
      }),
      { numRuns: times(4_000, 20_000) },
    );
  });

  test('is taxed within half a paisa of the exact half', () => {
    fc.assert(
      fc.property(amounts, rates, (gross, rate) => {
        // |half × 2 × (10000 + rate) − gross × rate| ≤ 10000 + rate, in whole numbers.
        const { cgstPaise } = splitTax(gross, rate, false);
        expect(Math.abs(cgstPaise * 2 * (10_000 + rate) - gross * rate)).toBeLessThanOrEqual(
          10_000 + rate,
        );
      }),
      { numRuns: times(4_000, 20_000) },
    );
  });
});

describe('a piece is taxed', () => {
  test.each([
    ['as imitation jewellery when it is a ring', { category: 'rings' }, '7117', 300],
    ['as a watch when it is one', { category: 'watches' }, '9102', 1_800],
    ['by its own code', { category: 'rings', hsn: '7113' }, '7113', 300],
    ['at the rate of its own code', { category: 'rings', hsn: '9102 11 00' }, '91021100', 1_800],
    [
      'at its category’s rate when its own code is not known',
      { category: 'watches', hsn: '4202' },
      '4202',
      1_800,
    ],
    [
      'by its category when its own code is none',
      { category: 'watches', hsn: 'n/a' },
      '9102',
      1_800,
    ],
    ['as jewellery when nothing is known of it', {}, '7117', 300],
    [
      'as jewellery when its category is the name of something else',
      { category: 'constructor' },
      '7117',
      300,
    ],
  ])('%s', (_how, facts, hsn, rateBps) => {
    expect(taxClass(facts)).toEqual({ hsn, rateBps });
  });
});
