import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitTax, entryOfHsn, taxClass } from '#domain/invoice/gst.ts';
import { eachRow } from '#tests/each-row.ts';
import { times } from '#tests/soak.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

describe('an amount that includes GST', () => {
  test('is split in halves within Kerala, and is one tax elsewhere', () =>
    eachRow(
      [
        ['₹1,030 at 3 %', 103_000, 300, 1_500, 3_000],
        ['one paisa', 1, 1_800, 0, 0],
        ['half a paisa of half tax, rounded up', 35, 300, 1, 1],
        [
          '₹7,299 at 18 %, whose whole tax is an odd number of paise',
          729_900,
          1_800,
          55_670,
          111_341,
        ],
        ['a discount', -103_000, 300, -1_500, -3_000],
      ],
      ([, gross, rate, half, whole]) => {
        expect(splitTax(gross, rate, false)).toEqual({
          taxablePaise: gross - 2 * half,
          cgstPaise: half,
          sgstPaise: half,
          igstPaise: 0,
        });
        expect(splitTax(gross, rate, true)).toEqual({
          taxablePaise: gross - whole,
          cgstPaise: 0,
          sgstPaise: 0,
          igstPaise: whole,
        });
      },
    ));

  const amounts = fc.integer({ min: -100_000_000, max: 100_000_000 });
  const rates = fc.constantFrom(0, 25, 300, 500, 1_200, 1_800, 2_800, 4_000);

  test('is its taxable value and its tax again, each within half a paisa of the exact one', () => {
    fc.assert(
      fc.property(amounts, rates, (gross, rate) => {
        const home = splitTax(gross, rate, false);
        const away = splitTax(gross, rate, true);
        expect(home.cgstPaise).toBe(home.sgstPaise);
        expect(home.taxablePaise + home.cgstPaise + home.sgstPaise + home.igstPaise).toBe(gross);
        expect(away.taxablePaise + away.cgstPaise + away.sgstPaise + away.igstPaise).toBe(gross);
        // |half × 2 × (10000 + rate) − gross × rate| ≤ 10000 + rate, in whole numbers.
        expect(Math.abs(home.cgstPaise * 2 * (10_000 + rate) - gross * rate)).toBeLessThanOrEqual(
          10_000 + rate,
        );
        expect(Math.abs(away.igstPaise * (10_000 + rate) - gross * rate) * 2).toBeLessThanOrEqual(
          10_000 + rate,
        );
      }),
      { numRuns: times(4_000, 20_000) },
    );
  });
});

describe('a product is taxed', () => {
  test('by its own code, or else by its category, or else as jewellery', () =>
    eachRow(
      [
        [{ category: 'rings' }, '7117', 300],
        [{ category: 'watches' }, '9102', 1_800],
        [{ category: 'rings', hsn: '7113' }, '7113', 300],
        [{ category: 'rings', hsn: '9102 11 00' }, '91021100', 1_800],
        [{ category: 'watches', hsn: '4202' }, '4202', 1_800],
        [{ category: 'watches', hsn: 'n/a' }, '9102', 1_800],
        [{}, '7117', 300],
        [{ category: 'constructor' }, '7117', 300],
      ],
      ([facts, hsn, rateBps]) => {
        expect(taxClass(facts)).toEqual({ hsn, rateBps });
      },
    ));

  test('by the longest of the settings’ codes that its own begins with', () => {
    const table = { '7117': 300, '711719': 500, '71171990': 1_800 };
    expect(
      ['71171990', '71171910', '711719', '71179090', '7117', '7113'].map((hsn) =>
        entryOfHsn(table, hsn),
      ),
    ).toEqual([1_800, 500, 500, 300, 300, undefined]);
  });
});
