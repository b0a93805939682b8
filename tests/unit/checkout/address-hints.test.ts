import { expect, test } from 'vitest';
import { phoneHint, postalCodeHint } from '../../../src/domain/checkout/address-hints.ts';
import { eachRow } from '../../each-row.ts';

test('Indian mobile numbers pass without a hint, however they are written, and so does what is still being typed', () =>
  eachRow(
    ['9847012345', '+91 98470 12345', '098470-12345', '919847012345', '(98470) 12345', '98470', ''],
    (text) => {
      expect(phoneHint(text)).toBe('');
    },
  ));

test('other numbers that the form accepts get a hint', () =>
  eachRow(['12345abcde', '1234567890', '98470123456', '+44 7911 123456'], (text) => {
    expect(phoneHint(text)).toContain('ten digits');
  }));

test('a PIN code names its state, or what is wrong with it', () =>
  eachRow(
    [
      ['682 001', 'Kerala'],
      ['110001', 'Delhi'],
      ['68', ''],
      ['6820', 'PIN codes have six digits.'],
      ['ABCD', 'PIN codes have six digits.'],
      ['900001', 'army'],
      ['290001', 'does not exist'],
    ] as const,
    ([text, hint]) => {
      if (hint === '') expect(postalCodeHint(text)).toBe('');
      else expect(postalCodeHint(text)).toContain(hint);
    },
  ));
