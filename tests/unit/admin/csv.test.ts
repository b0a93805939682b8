import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvText, parseCsv } from '#domain/csv.ts';
import { eachRow } from '#tests/each-row.ts';

test('a file begins with a byte order mark and ends every row with CRLF', () => {
  expect(
    csvText([
      ['Name', 'Total'],
      ['Anjali', 102_360],
    ]),
  ).toBe('\u{feff}Name,Total\r\nAnjali,1023.60\r\n');
});

test('commas, quotes, line breaks and any script stay what they are', () =>
  eachRow(
    [
      ['a comma', 'Canal Road, Kochi', '"Canal Road, Kochi"'],
      ['a quote', 'the "old" ring', '"the ""old"" ring"'],
      ['a line break', 'a\nb', '"a\nb"'],
    ],
    ([, text, cell]) => {
      expect(csvText([[text]])).toBe(`\u{feff}${cell}\r\n`);
    },
  ));

describe('no cell becomes a formula', () => {
  test('with any first character', () =>
    eachRow(
      ['=1+1', '+91 98', '-1+2', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '="x"', '＝1+1'],
      (text) => {
        const [, cell = ''] = /^\u{feff}(.*)\r\n$/su.exec(csvText([[text]])) ?? [];
        expect(cell).toMatch(/^"'/u);
        expect(cell.slice(2, -1).replaceAll('""', '"')).toBe(text);
      },
    ));

  test('but an amount or a quantity below nothing stays a number', () => {
    expect(csvText([[-5_000, 0, 7, null, '-2']])).toBe('\u{feff}-50.00,0.00,0.07,,-2\r\n');
  });
});

describe('files that a spreadsheet saved', () => {
  test('is read with any separator, line end and quotes', () =>
    eachRow(
      [
        [
          'semicolons',
          'Name;Price\r\n"a;b";"3,50"\r\n',
          [
            ['Name', 'Price'],
            ['a;b', '3,50'],
          ],
        ],
        ['the separator as Excel names it', 'sep=;\r\nName;A,B,C\r\n', [['Name', 'A,B,C']]],
        [
          'commas within a header of semicolons',
          '"Name, first";Price\n',
          [['Name, first', 'Price']],
        ],
        ['an inch in the middle', '5" wide,6"\n', [['5" wide', '6"']]],
        ['an empty line, which is a row', 'a,b\n\nc,d', [['a', 'b'], [''], ['c', 'd']]],
        ['nothing', '', []],
        [
          'a byte order mark, tabs and old line ends',
          '\u{feff}a\tb\rc\t',
          [
            ['a', 'b'],
            ['c', ''],
          ],
        ],
      ],
      ([, text, rows]) => {
        expect(parseCsv(text)).toEqual({ ok: true, rows });
      },
    ));

  test('is refused with the row where a quotation mark is never closed', () =>
    eachRow(
      [
        ['a\nb,"c\nd', 2],
        ['"a""b', 1],
        ['a\n"', 2],
      ],
      ([text, openRow]) => {
        expect(parseCsv(text)).toEqual({ ok: false, openRow });
      },
    ));

  test('is, when the shop wrote it, to the letter what was written: formulas, apostrophes and line breaks too', () => {
    const letters = fc.constantFrom(...Array.from('ab\'"=+-@,;\t\r\n＝ 1അ\u{feff}'));
    const cell = fc.oneof(
      fc.string({ unit: letters, maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 5 }),
        (rows) => {
          expect(parseCsv(csvText(rows))).toEqual({ ok: true, rows });
        },
      ),
      { numRuns: 150 },
    );
  });
});
