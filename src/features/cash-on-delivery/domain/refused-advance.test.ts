import { expect, test } from 'vitest';
import { adminOrder } from '#tests/unit/admin/admin-order.ts';
import { refusedAdvanceText } from './refused-advance.ts';

const cash = {
  due: 80_000,
  charge: 0,
  rounding: 0,
  state: 'due' as const,
  advancePaymentId: 'pay_1',
  until: null,
  confirmedAt: null,
};
const text = (advanceLeftPaise: number, keepsAdvance: boolean): string =>
  refusedAdvanceText(
    adminOrder({
      cash,
      totalPaise: 100_000,
      advanceLeftPaise,
      terms: { damageHours: 48, keepsAdvance },
    }),
  );

test('the dialog of a refused parcel names what is still here of the advance, by the terms of the order', () => {
  expect([text(20_000, true), text(20_000, false)]).toEqual([
    'You keep the advance, ₹200.00. ',
    'The advance, ₹200.00, goes back. ',
  ]);
  expect([text(5_000, true), text(5_000, false)]).toEqual([
    'You keep the rest of the advance, ₹50.00. ',
    'The rest of the advance, ₹50.00, goes back. ',
  ]);
  expect([text(0, true), text(0, false)]).toEqual(['', '']);
});
