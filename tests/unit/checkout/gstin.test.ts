import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isGstin, tidyGstin } from '#domain/checkout/gstin.ts';
import { eachRow } from '#tests/each-row.ts';

// GSTINs that are printed as examples.
const known = ['27AAPFU0939F1ZV', '29AAGCB7383J1Z4', '32AABCU9603R1ZW', '27AAACR5055K1Z7'];

test('a GSTIN is validated by its check character, regardless of case and spaces', () =>
  eachRow(known, (gstin) => {
    expect(isGstin(gstin)).toBe(true);
    expect(isGstin(tidyGstin(` ${gstin.toLowerCase().slice(0, 5)} ${gstin.slice(5)} `))).toBe(true);
  }));

test('one wrong character is no GSTIN', () => {
  const characters = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  fc.assert(
    fc.property(
      fc.constantFrom(...known),
      fc.nat(14),
      fc.constantFrom(...characters),
      (gstin, at, character) => {
        fc.pre(gstin[at] !== character);
        expect(isGstin(gstin.slice(0, at) + character + gstin.slice(at + 1))).toBe(false);
      },
    ),
  );
});

test('an invalid GSTIN is refused', () =>
  eachRow(['', '27AAPFU0939F1Z', '27AAPFU0939F1ZVV', '27-APFU0939F1ZV', 'GSTIN'], (text) => {
    expect(isGstin(text)).toBe(false);
  }));
