import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTableFile } from '../../../src/services/admin/read-table-file.ts';
import { readTable } from '../../../src/domain/admin/table-file.ts';
import { parseCsv } from '../../../src/domain/csv.ts';
import { eachRow } from '../../each-row.ts';

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

test('a file that cannot be read says how to save it', () =>
  eachRow<[BlobPart, RegExp]>(
    [
      [Buffer.from('PK\u0003\u0004 no workbook'), /This workbook cannot be read/u],
      [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), /old kind \(\.xls\)/u],
      [Buffer.from('Name\n₹', 'utf16le'), /not saved as UTF-8/u],
      ['a'.repeat(limit + 1), /larger than 1 MB/u],
    ],
    async ([content, message]) => {
      await expect(read(content)).rejects.toThrow(message);
    },
  ));
