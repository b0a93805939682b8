import { expect, test } from 'vitest';
import { cheaperCash } from '#local/doctor/shop-facts-checks.ts';
import {
  cashRefundSentence,
  cashSentence,
  feeSentence,
  totalParts,
} from '#domain/texts/cash-sentence.ts';
import { eachRow } from '#tests/each-row.ts';
import { sampleCash } from '#tests/sample-cash.ts';

const feeBps = 236;

test('a policy says what cash on delivery costs, where it is possible and what becomes of an advance, or that there is none', () => {
  const { pins: _, ...everywhere } = sampleCash;
  const binds = 'Such an order binds you and us when we have confirmed it by phone or WhatsApp.';
  const rounded = 'The total is rounded to whole rupees.';
  return eachRow(
    [
      [null, 'There is no cash on delivery.'],
      [
        sampleCash,
        `orders of ₹200.00 to ₹10,000.00, at the PIN codes to which couriers bring it. It costs ₹50.00 for collecting the cash, and the platform fee of paying online falls away. ${rounded} ${binds}`,
      ],
      [
        { ...everywhere, charge: 0, platformFee: true },
        `to ₹10,000.00. Nothing is charged for it. ${rounded} ${binds}`,
      ],
      [
        { ...sampleCash, advance: { percent: 20 } },
        'An advance of 20 % of the total, in whole rupees, is paid online when you order. It is not returned when the parcel is not paid at the door.',
      ],
      [
        { ...sampleCash, advance: { amount: 9_900 }, keepsAdvance: false },
        'An advance of ₹99.00 is paid online when you order. Such',
      ],
    ],
    ([cash, words]) => {
      expect(cashSentence({ feeBps, cash })).toContain(words);
    },
  );
});

test('what the cart adds is said with its amount and for whom, in every combination of fee and charge', () => {
  const door = { ...sampleCash, charge: 4_900 };
  const free = { ...sampleCash, charge: 0 };
  return eachRow(
    [
      [0, null, /^The cart adds no fee\.$/u, /^the subtotal and the shipping$/u],
      [
        0,
        door,
        /^The cart adds no fee but ₹49\.00 for collecting the cash, if you pay at the door\.$/u,
        /the shipping, and the charge for cash on delivery, if you choose it$/u,
      ],
      [
        feeBps,
        null,
        /^A platform fee of 2\.36%.* is added in the cart\.$/u,
        /and a platform fee of 2\.36% of the subtotal/u,
      ],
      [
        feeBps,
        door,
        /is added in the cart when you pay online, and ₹49\.00 for collecting the cash/u,
        /\(only when you pay online\), and the charge/u,
      ],
      [
        feeBps,
        free,
        /is added in the cart when you pay online\.$/u,
        /\(only when you pay online\)$/u,
      ],
      [
        feeBps,
        { ...door, platformFee: true },
        /is added in the cart, and ₹49\.00 for collecting the cash/u,
        /of the subtotal(?:, GST on that fee included)?, and the charge/u,
      ],
    ] as const,
    ([bps, cash, sentence, parts]) => {
      expect(feeSentence({ feeBps: bps, cash })).toMatch(sentence);
      expect(totalParts({ feeBps: bps, cash })).toMatch(parts);
    },
  );
});

test('cash goes back to an account that the customer names, in a shop that takes cash', () => {
  expect(cashRefundSentence(null)).toBe('');
  expect(cashRefundSentence(sampleCash)).toContain('UPI ID or bank account');
});

test('the doctor tells the owner from which cart on cash is cheaper than paying online, and nothing where it never is', () => {
  const cash = { ...sampleCash, charge: 4_900, maxTotal: 300_000 };
  expect(cheaperCash(cash, feeBps)).toEqual([
    expect.stringMatching(/from a cart of ₹2,076\.28 .* by ₹20\.64 for the largest/u),
  ]);
  expect(cheaperCash({ ...cash, platformFee: true }, feeBps)).toBeNull();
  expect(cheaperCash({ ...cash, charge: 9_900 }, feeBps)).toBeNull();
  expect(cheaperCash(cash, 0)).toBeNull();
  expect(cheaperCash(null, feeBps)).toBeNull();
});
