import { orderFromRow } from '#domain/orders/order.ts';

/* Orders for the files of couriers: paid, to be paid at the door, and to be paid there after an advance. */

const goods = [
  { kind: 'goods', paise: 250_000 },
  { kind: 'discount', paise: -20_000 },
];
const charge = {
  kind: 'cash_charge',
  paise: 5_000,
  label: 'Charge for cash on delivery',
  tax: 'goods',
  refund: 'last',
};

const row = {
  id: 1001,
  created_at: '2026-11-20T20:05:00Z',
  customer_name: 'Anjali Devi Menon',
  customer_email: 'anjali@example.com',
  customer_phone: '+91 98470 12345',
  customer_address: 'House 1, Temple Road\nNear the tank',
  customer_city: 'Kochi',
  customer_postal_code: '682001',
  items: [
    { name: 'Ring · Size 14', quantity: 2, price: 1_000, product_id: 'a', size: '14', hsn: '7117' },
    { name: 'Chain', quantity: 1, price: 500, product_id: 'b' },
  ],
  sum_rows: [
    ...goods,
    { kind: 'fee', paise: 5_428, label: 'Platform Fee', tax: 'fee', refund: 'share' },
  ],
  amount: 2_354.28,
};
export const order = orderFromRow(row);
/** Confirmed, with ₹50 for the cash in its amount. */
export const cashRow = {
  ...row,
  sum_rows: [...goods, charge],
  amount: 2_350,
  cash_paise: 235_000,
  state: 'due',
  kind: 'door',
  status: 'PENDING',
};
export const cashOrder = orderFromRow(cashRow);
export const withAdvance = orderFromRow({
  ...cashRow,
  cash_paise: 188_000,
  advance_payment_id: 'pay_1',
});
