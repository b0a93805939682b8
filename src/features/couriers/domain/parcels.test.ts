import { expect, test } from 'vitest';
import { checkParcelRows, guessHeadings, readParcels, type ParcelFile } from './parcels.ts';
import { readTable } from '../../../domain/admin/table-file.ts';
import { csvText, parseCsv } from '../../../domain/csv.ts';
import { addressLines, parcelFileRows, parcelsAtOnce, type ParcelColumns } from './courier-file.ts';
import { orderFromRow } from '../../../domain/orders/order.ts';
import { eachRow } from '../../../../tests/each-row.ts';
import { parcel } from '../../../settings/seller.ts';

function readParcelFile(text: string, carrier: string, chosen: ParcelColumns = []): ParcelFile {
  const file = readTable(parseCsv(text), 2_000);
  if (!file.ok) return file;
  return readParcels(file.table, guessHeadings(file.table, chosen), carrier);
}

const order = orderFromRow({
  id: 1001,
  merchant_transaction_id: 'ABC-1001-ab12cd',
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
  discount_paise: 20_000,
  total_amount: 235_428,
});

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
    '1001,Anjali Devi Menon,9847012345,"House 1, Temple Road, Near the tank",Kerala,"2 × Ring, 1 × Chain",3,2300.00,' +
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

test('a file comes back by the headings of its columns once the tracking numbers are filled in', () => {
  const columns = [
    { key: 'order', heading: 'Ref' },
    { key: 'name', heading: 'Consignee' },
    { key: 'trackingNumber', heading: 'AWB' },
  ] as const;
  const [head = [], row = []] = parcelFileRows([order], [...columns]);
  const filled = row.map((cell, at) => (head[at] === 'AWB' ? 'EM123456785IN' : cell));
  const text = csvText([head, filled]);
  expect(readParcelFile(text, 'India Post', [...columns])).toEqual({
    ok: true,
    rows: [{ row: 2, order: '1001', trackingNumber: 'EM123456785IN', carrier: 'India Post' }],
    empty: 0,
  });
});

test('an address is broken between words, and its second line takes the rest', () => {
  const words = Array.from({ length: 30 }, (_, at) => `word${String(at)}`);
  const [first, second] = addressLines(words.join(' '));
  expect(first.length).toBeLessThanOrEqual(80);
  expect(`${first} ${second}`).toBe(words.join(' '));
  expect(addressLines('one\n two')).toEqual(['one, two', '']);
});

test('rows without a tracking number are left out and counted; a reference, spaces and small letters are read as the number they mean', () => {
  const file = readParcelFile(
    'Order,Tracking number,Carrier\nABC-1001-ab12cd,em 123456785 in,\n1002, ,DTDC\n1003,,\n',
    'india post',
  );
  if (!file.ok) throw new Error(file.fault.message);
  expect(file.empty).toBe(2);
  expect(checkParcelRows(file.rows)).toEqual({
    faults: [],
    parcels: [{ row: 2, order: 1001, trackingNumber: 'EM123456785IN', carrier: 'India Post' }],
  });
  expect(readParcelFile('Order,Tracking number\n1001,\n1002,', 'DTDC')).toMatchObject({
    ok: false,
    fault: { message: 'No row has a tracking number.' },
  });
});

test('a file has at most as many numbers as one export has rows', () => {
  const rowsOf = (count: number) =>
    csvText([
      ['Order', 'Tracking number'],
      ...Array.from({ length: count }, (_, at) => [String(1001 + at), `D${String(at)}`]),
      ['9001', ''],
    ]);
  expect(readParcelFile(rowsOf(parcelsAtOnce), 'DTDC')).toMatchObject({ ok: true, empty: 1 });
  expect(readParcelFile(rowsOf(parcelsAtOnce + 1), 'DTDC')).toMatchObject({
    ok: false,
    fault: { message: expect.stringContaining(`${String(parcelsAtOnce + 1)} rows`) as unknown },
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
