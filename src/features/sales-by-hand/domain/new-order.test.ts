import { expect, test } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { registerAs, useSampleTax } from '#tests/sample-tax.ts';
import { typedDetails } from '#tests/unit/checkout/addresses.ts';
import { newOrderSchema, readReduction } from './new-order.ts';

useSampleTax();

test('a price reduction is an amount in rupees below the price; empty means none', () =>
  eachRow<[string, object]>(
    [
      ['', { paise: 0 }],
      ['200', { paise: 20_000 }],
      ['₹149.50', { paise: 14_950 }],
      ['0', { paise: 0 }],
      ['1,000', { error: 'The reduction must be below the price of the products' }],
      ['-5', { error: 'Write an amount in rupees, such as 200 or 149.50' }],
      ['ten', { error: 'Write an amount in rupees, such as 200 or 149.50' }],
    ],
    ([typed, reading]) => {
      expect(readReduction(typed, 100_000)).toEqual(reading);
    },
  ));

test('a seller who may not send to another state sends no sale there, and may hand it over', () => {
  registerAs({ kind: 'unregistered', sendsToOtherStates: false });
  const sale = {
    ...typedDetails,
    postalCode: '560001',
    key: crypto.randomUUID(),
    lines: [{ product_id: crypto.randomUUID(), quantity: 1 }],
    channel: 'whatsapp',
    notes: '',
    totalPaise: 100,
    payment: { by: 'link', hours: 24 },
  };
  expect(newOrderSchema.safeParse({ ...sale, handOver: false }).error?.issues).toMatchObject([
    {
      path: ['postalCode'],
      message: 'We send within Kerala only, and this PIN code is in Karnataka.',
    },
  ]);
  expect(newOrderSchema.safeParse({ ...sale, handOver: true }).success).toBe(true);
});
