import { expect, test } from 'vitest';
import { checkParcelRows, guessHeadings, readParcels, type ParcelFile } from './parcels.ts';
import { readTable } from '#domain/admin/table-file.ts';
import { csvText, parseCsv } from '#domain/csv.ts';
import { parcelFileRows, parcelsAtOnce, type ParcelColumns } from './courier-file.ts';
import { order } from '#tests/features/couriers/sample-orders.ts';
import { eachRow } from '#tests/each-row.ts';

function readParcelFile(text: string, carrier: string, chosen: ParcelColumns = []): ParcelFile {
  const file = readTable(parseCsv(text), 2_000);
  if (!file.ok) return file;
  return readParcels(file.table, guessHeadings(file.table, chosen), carrier);
}

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

test('the list that a courier gives back is read by its own headings', () =>
  eachRow(
    [
      [
        'Order ID,Shiprocket Created At,Channel,Status,Product Name,Courier Company,AWB Code\n1001,27-11-2026,CUSTOM,READY TO SHIP,Ring,Delhivery Surface,1490812345678\n1001,27-11-2026,CUSTOM,READY TO SHIP,Chain,Delhivery Surface,1490812345678\n',
        { trackingNumber: '1490812345678', carrier: 'Delhivery Surface' },
      ],
      [
        'Waybill,Reference No,Consignee Name,Pincode,Payment Mode,Status\n1490812345678,1001,Anjali Menon,682001,Pre-paid,Manifested\n',
        { trackingNumber: '1490812345678', carrier: 'DTDC' },
      ],
      [
        'SL NO,ARTICLE NUMBER,BARCODE NO,REF,ADDRESSEE NAME,PIN\n1,EM123456785IN,EM123456785IN,1001,Anjali Menon,682001\n',
        { trackingNumber: 'EM123456785IN', carrier: 'DTDC' },
      ],
      [
        'Reference No *,Billing Area *,AWB No,Status\n1001,COK,90128761682,Success\n',
        { trackingNumber: '90128761682', carrier: 'DTDC' },
      ],
      [
        'Consignment No,Customer Reference Number\nD12345678,1001\n',
        { trackingNumber: 'D12345678', carrier: 'DTDC' },
      ],
    ] as const,
    ([text, expected]) => {
      const file = readTable(parseCsv(text), 100);
      if (!file.ok) throw new Error(file.fault.message);
      expect(readParcels(file.table, guessHeadings(file.table), 'DTDC')).toMatchObject({
        ok: true,
        rows: [{ row: 2, order: '1001', ...expected }],
        empty: 0,
      });
    },
  ));

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

test('numbers that a file protects from its spreadsheet are read as the numbers', () => {
  const file = readParcelFile(
    `Order,Tracking number,Carrier\n"=""OTH-1001-ab12cd""","=""1490812345678""","=""DTDC"""\n'1002,'1490812345679,\n1003,"=""""",\n`,
    'DTDC',
  );
  expect(file).toEqual({
    ok: true,
    rows: [
      { row: 2, order: 'OTH-1001-ab12cd', trackingNumber: '1490812345678', carrier: 'DTDC' },
      { row: 3, order: '1002', trackingNumber: '1490812345679', carrier: 'DTDC' },
    ],
    empty: 1,
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

test('India Post’s numbers of every check digit are taken: where the rest is one it is 0, where there is none it is 5', () => {
  const rows = ['EM123456785IN', 'EM003000000IN', 'EM100010005IN'].map((trackingNumber, at) => ({
    row: at + 2,
    order: String(1001 + at),
    trackingNumber,
    carrier: 'India Post',
  }));
  expect(checkParcelRows(rows).faults).toEqual([]);
  const wrong = rows.map((row) => ({
    ...row,
    trackingNumber: row.trackingNumber.replace(/\dIN$/u, '9IN'),
  }));
  expect(checkParcelRows(wrong).faults).toHaveLength(3);
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
      [{ trackingNumber: 'PENDING' }, 'one digit at least'],
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
