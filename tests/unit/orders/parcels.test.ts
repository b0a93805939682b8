import { expect, test } from 'vitest';
import { checkParcelRows, readParcelFile } from '../../../src/domain/admin/orders/parcels.ts';
import { csvText, parseCsv } from '../../../src/domain/csv.ts';
import {
  addressLines,
  indiaPostRows,
  shiprocketRows,
} from '../../../src/domain/orders/courier-files.ts';
import { orderFromRow } from '../../../src/domain/orders/order.ts';
import { eachRow } from '../../each-row.ts';

const order = orderFromRow({
  id: 1001,
  merchant_transaction_id: 'KSV-1001-ab12cd',
  created_at: '2026-11-23T08:35:00Z',
  customer_name: 'Anjali Devi Menon',
  customer_email: 'anjali@example.com',
  customer_phone: '+91 98470 12345',
  customer_address: 'House 1, Temple Road\nNear the tank',
  customer_city: 'Kochi',
  customer_postal_code: '682001',
  items: [
    { name: 'Ring', quantity: 2, price: 1_000, discount_paise: 20_000, product_id: 'a' },
    { name: 'Chain', quantity: 1, price: 500, product_id: 'b' },
  ],
  subtotal_paise: 250_000,
  total_amount: 235_428,
});

/** The cells of a file's row by the names of their columns, as a spreadsheet reads them. */
function records(rows: Parameters<typeof csvText>[0]): Record<string, string>[] {
  const read = parseCsv(csvText(rows));
  if (!read.ok) throw new Error('The file cannot be read');
  const [head = [], ...lines] = read.rows;
  return lines.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])));
}

test('Shiprocket’s file has a row for each item, prices in rupees and a phone number of ten digits', () => {
  expect(records(shiprocketRows([order]))).toMatchObject([
    {
      '*Order Id': '1001',
      'Order Date as dd-mm-yyyy hh:MM': '23-11-2026 14:05',
      '*Payment Method(COD/Prepaid)': 'Prepaid',
      '*Customer First Name': 'Anjali',
      'Customer Last Name': 'Devi Menon',
      '*Customer Mobile': '9847012345',
      '*Shipping Address Line 1': 'House 1, Temple Road, Near the tank',
      '*Shipping Address State': 'Kerala',
      '*Shipping Address Postcode': '682001',
      '*Product Quantity': '2',
      '*Selling Price(Per Unit Item, Inclusive of Tax)': '1000.00',
      'Discount(Per Unit Item)': '100.00',
      '*Weight Of Shipment(kg)': '0.25',
    },
    { '*Order Id': '1001', '*Product Name': 'Chain', 'Discount(Per Unit Item)': '0.00' },
  ]);
});

test('India Post’s file has a row for each parcel, and comes back as an import once its barcodes are filled in', () => {
  const [head = [], row = []] = indiaPostRows([order]);
  expect(records([head, row])).toMatchObject([
    {
      physical_weight: '250',
      receiver_name: 'Anjali Devi Menon',
      receiver_state: 'Kerala',
      receiver_mobile_no: '9847012345',
      bulk_reference: '1001',
      barcode_no: '',
    },
  ]);
  const filled = row.map((cell, at) => (head[at] === 'barcode_no' ? 'EM123456785IN' : cell));
  expect(readParcelFile(csvText([head, filled]), 'India Post')).toEqual({
    ok: true,
    rows: [{ row: 2, order: '1001', trackingNumber: 'EM123456785IN', carrier: 'India Post' }],
  });
});

test('an address is broken between words, and its last line takes the rest', () => {
  expect(addressLines('one two three four', 2, 7)).toEqual(['one two', 'three four']);
  expect(addressLines('one', 3, 80)).toEqual(['one', '', '']);
});

test('a file needs a column of tracking numbers, and at most 100 rows', () => {
  expect(readParcelFile('Order\n1001', 'DTDC')).toMatchObject({
    ok: false,
    fault: { message: expect.stringContaining('Tracking number') as unknown },
  });
  const many = Array.from({ length: 101 }, (_, at) => [String(1001 + at), `D${String(at)}`]);
  expect(readParcelFile(csvText([['Order', 'AWB code'], ...many]), 'DTDC')).toMatchObject({
    ok: false,
    fault: { message: expect.stringContaining('101 rows') as unknown },
  });
});

const good = { row: 2, order: '1001', trackingNumber: 'D12345678', carrier: 'DTDC' };
test('a fault names its row', async () => {
  const india = 'india post';
  await eachRow(
    [
      [{ order: 'first' }, 'not an order number'],
      [{ order: '#1001', trackingNumber: 'D9999999' }, 'Row 2 has this order'],
      [{ trackingNumber: 'd12345678' }, 'Row 2 has this number'],
      [{ trackingNumber: '' }, 'missing'],
      [{ trackingNumber: '1.23457E+11' }, 'rounded'],
      [{ trackingNumber: 'D12/345' }, '5 to 40'],
      [{ trackingNumber: 'EM123456789IN', carrier: india }, 'mistyped'],
      [{ trackingNumber: 'D9999999', carrier: '' }, 'Name the carrier'],
    ],
    ([change, message]) => {
      const second = { ...good, row: 3, order: '1002', ...change };
      if (!('trackingNumber' in change)) second.trackingNumber = 'D9999999';
      const { faults, parcels } = checkParcelRows([good, second]);
      expect(faults).toMatchObject([
        { row: 3, message: expect.stringContaining(message) as unknown },
      ]);
      expect(parcels).toMatchObject([{ row: 2, order: 1001 }]);
    },
  );
});

test('a reference, spaces and small letters are read as the number they mean', () => {
  const row = {
    row: 2,
    order: 'KSV-1001-ab12cd',
    trackingNumber: 'em 123456785 in',
    carrier: 'india post',
  };
  expect(checkParcelRows([row])).toEqual({
    faults: [],
    parcels: [{ row: 2, order: 1001, trackingNumber: 'EM123456785IN', carrier: 'India Post' }],
  });
});
