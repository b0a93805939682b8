import { expect, test } from 'vitest';
import { orderSums, type OrderAmounts } from '#domain/orders/order-sums.ts';
import { feeLabel } from '#domain/tax-standing.ts';
import { shippingLabel } from '#settings/shop.ts';
import { eachRow } from '#tests/each-row.ts';

const amounts: OrderAmounts = {
  items: [{ lineTotal: 60_000 }, { lineTotal: 40_000 }],
  subtotal: 100_000,
  discountCode: 'ONAM',
  discount: 10_000,
  fee: 2_124,
  amount: 92_124,
};
const rowsOf = (changed: Partial<OrderAmounts>): string[] =>
  orderSums({ ...amounts, ...changed }).map(({ label, amount }) => `${label}: ${amount}`);
const subtotal = 'Subtotal: ₹1,000.00';
const shipping = `Shipping: ${shippingLabel}`;

test('an order has a row for each amount, and none for a discount or fee of nothing', () =>
  eachRow<[Partial<OrderAmounts>, string[]]>(
    [
      [
        {},
        [
          subtotal,
          'Discount (ONAM): −₹100.00',
          shipping,
          `${feeLabel()}: ₹21.24`,
          'Total: ₹921.24',
        ],
      ],
      [
        { discount: 0, discountCode: null, amount: 102_124 },
        [subtotal, shipping, `${feeLabel()}: ₹21.24`, 'Total: ₹1,021.24'],
      ],
      [
        { discountCode: null, fee: 0, amount: 90_000, handedOver: true },
        [subtotal, 'Price reduction: −₹100.00', 'Total: ₹900.00'],
      ],
    ],
    ([changed, rows]) => {
      expect(rowsOf(changed)).toEqual(rows);
    },
  ));

test('an imported order whose lines do not add up to its subtotal has only a total', () => {
  expect(rowsOf({ items: [{ lineTotal: 1 }] })).toEqual(['Total: ₹921.24']);
  expect(orderSums({ ...amounts, items: [] }, 'Total Amount')).toEqual([
    { label: 'Total Amount', amount: '₹921.24', isTotal: true },
  ]);
});
