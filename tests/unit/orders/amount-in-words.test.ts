import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountInWords, numberInWords } from '../../../src/domain/invoice/amount-in-words.ts';
import { eachRow } from '../../each-row.ts';

test('paise are written in words with lakh and crore', () =>
  eachRow(
    [
      [0, 'Rupees zero only'],
      [100, 'Rupees one only'],
      [7, 'Rupees zero and seven paise only'],
      [2_150, 'Rupees twenty-one and fifty paise only'],
      [10_000_000, 'Rupees one lakh only'],
      [
        12_345_650,
        'Rupees one lakh twenty-three thousand four hundred fifty-six and fifty paise only',
      ],
      [100_000_000, 'Rupees ten lakh only'],
      [
        1_234_567_899,
        'Rupees one crore twenty-three lakh forty-five thousand six hundred seventy-eight and ninety-nine paise only',
      ],
      [-5_000, 'Minus Rupees fifty only'],
    ],
    ([paise, words]) => {
      expect(amountInWords(paise)).toBe(words);
    },
  ));

test('no two numbers up to a crore share their words', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), fc.nat(10_000_000), (a, b) => {
      expect(numberInWords(a) === numberInWords(b)).toBe(a === b);
      expect(numberInWords(a)).toMatch(/^[a-z]+(?:[ -][a-z]+)*$/u);
    }),
  );
});
