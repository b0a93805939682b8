import { expect, test } from 'vitest';
import { orderSums, type OrderAmounts } from '#domain/orders/order-sums.ts';
import { sumRows, type Charge } from '#domain/sums/sum-rows.ts';
import { shippingLabel } from '#settings/shop.ts';
import { eachRow } from '#tests/each-row.ts';

const fee: Charge = { kind: 'fee', label: 'Fee', tax: 'fee', refund: 'share', bps: 236 };
const onam = { label: 'ONAM', paise: 10_000 };
const rowsOf = (amounts: OrderAmounts): string[] =>
  orderSums(amounts).map(({ label, amount }) => `${label}: ${amount}`);
const subtotal = 'Subtotal: ₹1,000.00';
const shipping = `Shipping: ${shippingLabel}`;

test('an order has a row for each amount, and none for a discount or a charge of nothing', () =>
  eachRow<[OrderAmounts, string[]]>(
    [
      [
        { rows: sumRows(100_000, onam, [fee]) },
        [subtotal, 'Discount (ONAM): −₹100.00', shipping, 'Fee: ₹21.24', 'Total: ₹921.24'],
      ],
      [
        { rows: sumRows(100_000, null, [fee, { ...fee, kind: 'small', bps: 0 }]) },
        [subtotal, shipping, 'Fee: ₹23.60', 'Total: ₹1,023.60'],
      ],
      [
        { rows: sumRows(100_000, { ...onam, label: null }, []), handedOver: true },
        [subtotal, 'Price reduction: −₹100.00', 'Total: ₹900.00'],
      ],
      [
        { rows: sumRows(100_000, null, []), cash: { due: 80_000 } },
        [
          ...[subtotal, shipping, 'Total: ₹1,000.00'],
          ...['Advance, paid online: ₹200.00', 'Cash at the door: ₹800.00'],
        ],
      ],
    ],
    ([amounts, rows]) => {
      expect(rowsOf(amounts)).toEqual(rows);
    },
  ));

test('an imported order whose lines do not add up to its total has only a total', () => {
  const [goods] = sumRows(1, null, []);
  if (!goods) throw new Error('Goods have a row');
  const rows = [goods, { ...goods, kind: 'other', paise: 92_123 }];
  expect(orderSums({ rows }, 'Total Amount')).toEqual([
    { label: 'Total Amount', amount: '₹921.24', isTotal: true },
  ]);
});
