import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { readTable, type TableFile } from '#domain/admin/table-file.ts';
import { parseCsv } from '#domain/csv.ts';
import { readTableFile } from '#services/admin/read-table-file.ts';
import { maxRemittanceRows, type RemittanceRow } from './cash-api.ts';
import {
  areEnough,
  guessRemittanceHeadings,
  readRemittance,
  type RemittanceFile,
} from './remittance-file.ts';

function tableOf(text: string): TableFile {
  const file = readTable(parseCsv(text), maxRemittanceRows);
  if (!file.ok) throw new Error(file.fault.message);
  return file.table;
}
function read(text: string): RemittanceFile {
  const table = tableOf(text);
  return readRemittance(table, guessRemittanceHeadings(table));
}

test('the list of each courier is read by its own headings', () =>
  eachRow<[string, Partial<RemittanceRow>]>(
    [
      [
        'CRF ID,AWB,Delivered Date,Shipped Date,Order Id,Courier,Order Value,Channel Name,Remmitance Type,Remittance Date,UTR,total_adjusted_amt,Linked CRF Ids\n13449838,14112364794902,2026-09-01 15:47:41,2026-08-21 03:14:41,1095984941,Xpressbees Surface,1500,CUSTOM,Standard,2026-09-11 02:07:17,IN22625415423299,,\n',
        {
          trackingNumber: '14112364794902',
          orderId: null,
          amountPaise: 150_000,
          reference: 'IN22625415423299',
        },
      ],
      [
        'Description,Payment Mode,Client,Pincode,Amount Payable,City,Status,COD Amount,Waybill Number,Order Number\nRing,COD,KASAVU,682001,1000.0,Kochi,Delivered,1020.0,38061110519610,#1001\n',
        { trackingNumber: '38061110519610', orderId: 1001, amountPaise: 100_000, reference: '' },
      ],
      [
        'Waybill No,Reference No,COD Amount,Net Amount,Remittance No,UTR No\n90128761682,KSV-1001-ab12cd,"1,250.00","1,250.00",R77,SBIN1\n',
        {
          trackingNumber: '90128761682',
          orderId: 1001,
          orderReference: 'KSV-1001-ab12cd',
          amountPaise: 125_000,
          reference: 'SBIN1',
        },
      ],
      [
        'ARTICLE NUMBER,REF,COD AMOUNT\nem 123456785 in,1001,₹ 1250\n',
        { trackingNumber: 'EM123456785IN', orderId: 1001, amountPaise: 125_000, reference: '' },
      ],
      [
        'AWB NO.,Order No.,Customer,COD Amount,Remittance Date,Remittance UTR\nD1,1001,Anjali,99.5,2026-11-20,N1\n',
        { trackingNumber: 'D1', orderId: 1001, amountPaise: 9_950, reference: 'N1' },
      ],
    ],
    ([text, expected]) => {
      expect(read(text)).toEqual({
        rows: [{ row: 2, orderReference: '', ...expected }],
        faults: [],
        withoutCash: 0,
        withoutParcel: 0,
      });
    },
  ));

test('columns that nobody knows are the admin’s choice: an amount, and one that names the parcel', () => {
  const table = tableOf('Parcel,Paid out\nD12345678,1000\n');
  const guessed = guessRemittanceHeadings(table);
  expect(areEnough(guessed)).toBe(false);
  const chosen = { ...guessed, trackingNumber: 'Parcel', amount: 'Paid out' };
  expect(areEnough(chosen)).toBe(true);
  expect(readRemittance(table, chosen).rows).toEqual([
    {
      row: 2,
      trackingNumber: 'D12345678',
      orderId: null,
      orderReference: '',
      amountPaise: 100_000,
      reference: '',
    },
  ]);
  expect(areEnough({ ...chosen, trackingNumber: '' })).toBe(false);
  expect(areEnough({ ...chosen, trackingNumber: '', order: 'Parcel' })).toBe(true);
});

test('rows without cash and a sum at the end are left out and counted, and what cannot be read has its row', () => {
  const file = read(
    [
      'AWB No,Order ID,COD Amount,UTR',
      'D1,1001,1000,N1',
      'D2,1002,0,N1',
      'D3,1003,,N1',
      'D4,1004,-500,N1',
      'D5,1005,pending,N1',
      '1.49081E+12,,1000,N1',
      '1.49081E+12,1006,1000,N1',
      ',,2000,',
    ].join('\n'),
  );
  expect(file).toMatchObject({ withoutCash: 2, withoutParcel: 1 });
  expect(file.rows.map(({ row }) => row)).toEqual([2, 8]);
  expect(file.faults).toMatchObject([
    { row: 5, column: 'COD Amount', found: '-500' },
    { row: 6, column: 'COD Amount', found: 'pending' },
    { row: 7, column: 'AWB No', message: expect.stringContaining('rounded') as unknown },
  ]);
});

test('a sum names no parcel, and a row without a tracking number names its order', () => {
  const file = read(
    [
      'AWB No,Order ID,COD Amount,UTR',
      'D1,1001,1000,N1',
      'N/A,1002,1000,N1',
      '1.49081E+12,1003,1000,N1',
      'Total,,3000,',
      ',Grand Total,3000,',
    ].join('\n'),
  );
  expect(file).toMatchObject({ faults: [], withoutParcel: 2 });
  expect(file.rows).toMatchObject([
    { trackingNumber: 'D1', orderId: 1001 },
    { trackingNumber: '', orderId: 1002 },
    { trackingNumber: '', orderId: 1003 },
  ]);
});

test('numbers that a file protects from its spreadsheet are read as the numbers', () => {
  const { rows, faults } = read(
    `AWB No,Order ID,COD Amount,UTR\n"=""14112364794902""","=""KSV-1001-ab12cd""","=""1000""","=""N1"""\n'14112364794903,'1002,'1000,'N1\n`,
  );
  expect(faults).toEqual([]);
  expect(rows).toEqual([
    {
      row: 2,
      trackingNumber: '14112364794902',
      orderId: 1001,
      orderReference: 'KSV-1001-ab12cd',
      amountPaise: 100_000,
      reference: 'N1',
    },
    {
      row: 3,
      trackingNumber: '14112364794903',
      orderId: 1002,
      orderReference: '',
      amountPaise: 100_000,
      reference: 'N1',
    },
  ]);
});

test('a list has at most as many rows as one request', () => {
  const rows = Array.from({ length: maxRemittanceRows + 1 }, (_, at) => `D${String(at)},1`);
  expect(readTable(parseCsv(`AWB,Amount\n${rows.join('\n')}`), maxRemittanceRows)).toMatchObject({
    ok: false,
    fault: { message: expect.stringContaining('at most 2,000') as unknown },
  });
});

test('a workbook is read as a CSV file is', async () => {
  const path = join(import.meta.dirname, '../../../../tests/unit/admin/price-list.xlsx');
  const reading = readTable(
    await readTableFile(new File([readFileSync(path)], 'list.xlsx'), 1024 * 1024),
    maxRemittanceRows,
  );
  if (!reading.ok) throw new Error(reading.fault.message);
  const headings = { trackingNumber: 'MRP', order: '', amount: 'MRP', reference: 'Added' };
  expect(readRemittance(reading.table, headings).rows).toMatchObject([
    { row: 2, amountPaise: 149_910, reference: '2026-11-28' },
  ]);
});
