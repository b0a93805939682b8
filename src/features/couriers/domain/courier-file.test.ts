import { expect, test } from 'vitest';
import { csvText } from '#domain/csv.ts';
import { orderFromRow } from '#domain/orders/order.ts';
import { parcel } from '#settings/seller.ts';
import { cashOrder, cashRow, order } from '#tests/features/couriers/sample-orders.ts';
import {
  addressLines,
  hasRowPerProduct,
  parcelFileRows,
  type ParcelColumns,
} from './courier-file.ts';

test('a file has one row an order, prices in rupees, a phone number of ten digits, and the headings of the courier', () => {
  const columns = [
    { key: 'order', heading: 'Ref' },
    { key: 'name', heading: 'Consignee' },
    { key: 'phone', heading: 'Mobile' },
    { key: 'line1', heading: 'Address 1' },
    { key: 'state', heading: 'State' },
    { key: 'contents', heading: 'Items' },
    { key: 'units', heading: 'Qty' },
    { key: 'value', heading: 'Declared value' },
    { key: 'kilograms', heading: 'Weight' },
    { key: 'trackingNumber', heading: 'AWB' },
  ] as const;
  expect(csvText(parcelFileRows([order], [...columns])).split('\r\n')).toEqual([
    '\u{feff}Ref,Consignee,Mobile,Address 1,State,Items,Qty,Declared value,Weight,AWB',
    '1001,Anjali Devi Menon,9847012345,"House 1, Temple Road, Near the tank",Kerala,"2 × Ring · Size 14, 1 × Chain",3,2300.00,' +
      `${String(parcel.grams / 1_000)},`,
    '',
  ]);
});

test('a PIN code and a phone number that are usable are written in one way, others as they were typed, and the day is that of India', () => {
  const columns = [
    { key: 'phone', heading: 'Mobile' },
    { key: 'postalCode', heading: 'PIN' },
    { key: 'date', heading: 'Date' },
  ] as const;
  const cellsOf = (customer_phone: string, customer_postal_code: string) =>
    parcelFileRows(
      [
        orderFromRow({
          id: 1001,
          created_at: '2026-11-20T20:00:00Z',
          customer_phone,
          customer_postal_code,
        }),
      ],
      [...columns],
    )[1];
  expect(cellsOf('0484-2345678', '682 001')).toEqual(['4842345678', '682001', '2026-11-21']);
  expect(cellsOf('0484-abcdefgh', '68201')).toEqual(['0484-abcdefgh', '68201', '2026-11-21']);
});

test('an address is broken between words, and its second line takes the rest', () => {
  const words = Array.from({ length: 30 }, (_, at) => `word${String(at)}`);
  const [first, second] = addressLines(words.join(' '));
  expect(first.length).toBeLessThanOrEqual(80);
  expect(`${first} ${second}`).toBe(words.join(' '));
  expect(addressLines('one\n two')).toEqual(['one, two', '']);
});

test('columns of one’s own have a fixed text, the date as the courier wants it, and a row for each order until one is of a product', () => {
  const columns: ParcelColumns = [
    { key: 'order', heading: 'Ref' },
    { key: 'date', heading: 'Date', text: '05/12/2026' },
    { key: 'fixed', heading: 'Service', text: 'SPEED POST' },
  ];
  expect(parcelFileRows([order], columns).slice(1)).toEqual([['1001', '21/11/2026', 'SPEED POST']]);
  expect(
    parcelFileRows(
      [order, cashOrder],
      [
        { key: 'payment', heading: 'Mode' },
        { key: 'cash', heading: 'Cash to collect' },
      ],
    ).slice(1),
  ).toEqual([
    ['Prepaid', null],
    ['COD', 235_000],
  ]);
  expect(hasRowPerProduct([...columns, { key: 'quantity', heading: 'Qty' }])).toBe(true);
  const bare = orderFromRow({ id: 7, created_at: '2026-11-20T20:05:00Z', items: [] });
  expect(parcelFileRows([bare], columns)).toHaveLength(2);
});

test('the charges of a cash order hold the platform fee where the shop takes it, the charge and the rounding, and with goods and discount make the amount', () => {
  const withFee = orderFromRow({
    ...cashRow,
    sum_rows: [
      ...cashRow.sum_rows,
      { kind: 'fee', paise: 5_428, tax: 'fee', refund: 'share' },
      { kind: 'gift_wrap', paise: 4_900, label: 'Gift wrapping', tax: 'goods', refund: 'last' },
      { kind: 'rounding', paise: -28, tax: 'goods', refund: 'last' },
    ],
    amount: 2_453,
    cash_paise: 245_300,
  });
  const [row = []] = parcelFileRows(
    [withFee],
    [
      { key: 'value', heading: 'Value' },
      { key: 'charges', heading: 'Charges' },
      { key: 'cash', heading: 'Cash' },
    ],
  ).slice(1);
  expect(row).toEqual([230_000, 15_300, 245_300]);
});
