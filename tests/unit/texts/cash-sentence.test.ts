import { expect, test } from 'vitest';
import { cashSentence } from '../../../src/domain/texts/cash-sentence.ts';
import { eachRow } from '../../each-row.ts';
import { sampleCash } from '../../sample-cash.ts';

test('a policy says what cash on delivery costs, where it is possible and what becomes of an advance, or that there is none', () => {
  const { pins: _, ...everywhere } = sampleCash;
  const binds = 'Such an order binds you and us when we have confirmed it by phone or WhatsApp';
  return eachRow(
    [
      [null, 'There is no cash on delivery.'],
      [
        sampleCash,
        `orders of ₹200.00 to ₹10,000.00, at the PIN codes to which couriers bring it. It costs ₹50.00 more. ${binds}`,
      ],
      [{ ...everywhere, charge: 0 }, `to ₹10,000.00. It costs nothing more. ${binds}`],
      [
        { ...sampleCash, advance: { percent: 20 } },
        'more; 20 % of the total is paid online when you order and is not returned when the parcel is not paid at the door.',
      ],
      [
        { ...sampleCash, advance: { amount: 9_900 }, keepsAdvance: false },
        'more; ₹99.00 is paid online when you order. Such',
      ],
    ],
    ([terms, words]) => {
      expect(cashSentence(terms)).toContain(words);
    },
  );
});
