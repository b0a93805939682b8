import { describe, expect, test } from 'vitest';
import { csvText } from '../../../netlify/server/platform/csv.ts';
import { eachRow } from '../../each-row.ts';

test('a file begins with a byte order mark and ends every row with CRLF', () => {
  expect(csvText([['Name', 'Total'], ['Anjali', 102_360]])).toBe('\u{feff}Name,Total\r\nAnjali,1023.60\r\n');
});

test('commas, quotes, line breaks and any script stay what they are', () =>
  eachRow([
    ['a comma', 'Canal Road, Kochi', '"Canal Road, Kochi"'],
    ['a quote', 'the "old" ring', '"the ""old"" ring"'],
    ['a line break', 'a\nb', '"a\nb"'],
    ['Malayalam', 'അഞ്ജലി', 'അഞ്ജലി'],
    ['nothing', '', ''],
  ], ([, text, cell]) => {
    expect(csvText([[text]])).toBe(`\u{feff}${cell}\r\n`);
  }),
);

describe('no cell becomes a formula', () => {
  test('whatever it begins with', () =>
    eachRow(['=1+1', '+91 98470 12345', '-1+2', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '=HYPERLINK("http://x";"y")', '＝1+1'], (text) => {
      const [, cell = ''] = /^\u{feff}(.*)\r\n$/su.exec(csvText([[text]])) ?? [];
      expect(cell).toMatch(/^"'/u);
      expect(cell.slice(2, -1).replaceAll('""', '"')).toBe(text);
    }),
  );

  test('but an amount or a quantity below nothing stays a number', () => {
    expect(csvText([[-5_000, 0, 7, null, '-2']])).toBe('\u{feff}-50.00,0.00,0.07,,-2\r\n');
  });
});
