import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readTableFile } from '#services/admin/read-table-file.ts';
import { readTable } from '#domain/admin/table-file.ts';
import { parseCsv } from '#domain/csv.ts';
import { isWorkbookTooLarge, workbookLimits } from '#services/admin/workbook-size.ts';
import { eachRow } from '#tests/each-row.ts';

/** A workbook with these cells in its one sheet. */
const sheet = (cells: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    zipSync({
      'xl/workbook.xml': strToU8('<workbook/>'),
      'xl/worksheets/sheet1.xml': strToU8(`<worksheet>${cells}</worksheet>`),
    }),
  );

const limit = 1024 * 1024;
const read = (content: BlobPart, name = 'file') => readTableFile(new File([content], name), limit);

test('an Excel workbook is read as its cells are shown, a date as its day', async () => {
  const workbook = readFileSync(join(import.meta.dirname, 'price-list.xlsx'));
  expect(await read(workbook)).toEqual({
    ok: true,
    rows: [
      ['Product Name', 'MRP', 'Qty', 'Added'],
      ['മോതിരം & Ring', '1499.1', '5', '2026-11-28'],
    ],
  });
});

test('lines above the headings that begin with # are comments; a heading may begin so too', () => {
  const headingsOf = (text: string): unknown => {
    const reading = readTable(parseCsv(text), 10);
    return reading.ok && [reading.table.headings, reading.table.rows.length];
  };
  expect(headingsOf('# A comment\na,b\nx,y\n')).toEqual([['a', 'b'], 1]);
  expect(headingsOf('# Required,# Required\na,b\nx,y\n')).toEqual([['a', 'b'], 1]);
  expect(headingsOf('# A comment, with a comma\na,b,c\nx,y,z\n')).toEqual([['a', 'b', 'c'], 1]);
  expect(headingsOf('#,Product,Price\n1,Ring,100\n2,Chain,200\n')).toEqual([
    ['# Column A', 'Product', 'Price'],
    2,
  ]);
});

test('text in UTF-16 is read, with a byte order mark or without one', async () => {
  const rows = [
    ['Name', 'വില'],
    ['മാല', '₹1,299'],
  ];
  const text = 'Name;വില\r\nമാല;₹1,299\r\n';
  const little = Buffer.from(text, 'utf16le');
  for (const bytes of [little, Buffer.from(little).swap16()])
    expect(await read(bytes)).toEqual({ ok: true, rows });
  const marked = Buffer.from(`\u{feff}${text}`, 'utf16le');
  expect(await read(marked)).toEqual({ ok: true, rows });
  expect(await read(text)).toEqual({ ok: true, rows });
});

test('a workbook is looked at before it is read: what its cells name, and not what it says of itself', async () => {
  const isLarge = (cells: string) => isWorkbookTooLarge(sheet(cells));
  expect(await isLarge('<dimension ref="A1:XFD1048576"/><c r="B2"/>')).toBe(false);
  expect(await isLarge('<c r="T99999"/>')).toBe(false);
  expect(await isLarge('<c r="AZ99999"/>')).toBe(true);
});

test('a file that cannot be read says how to save it', () =>
  eachRow<[BlobPart, RegExp]>(
    [
      [Buffer.from('PK\u0003\u0004 no workbook'), /This workbook cannot be read/u],
      [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), /old kind \(\.xls\)/u],
      [Buffer.from('Name\ncafé', 'latin1'), /not saved as UTF-8/u],
      ['<?xml version="1.0"?><rss><channel/></rss>', /XML file, such as a feed/u],
      ['\n<feed xmlns="http://www.w3.org/2005/Atom"></feed>', /XML file/u],
      ['<table><tr><td>Ring</td></tr></table>', /This is a web page/u],
      ['[{"name":"Ring"}]', /JSON file/u],
      ['%PDF-1.7\n', /This is a PDF/u],
      [sheet('<c r="A1"/><c r="XFD1048576"/>'), /workbook is too large/u],
      [sheet('<row r="1048576"/>'), /workbook is too large/u],
      [sheet(' '.repeat(workbookLimits.bytes)), /workbook is too large/u],
      ['a'.repeat(limit + 1), /larger than 1 MB/u],
    ],
    async ([content, message]) => {
      await expect(read(content)).rejects.toThrow(message);
    },
  ));
