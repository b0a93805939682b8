import { expect, test } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { orderPatterns } from '#domain/admin/orders/order-search.ts';

/** The text that the database stores: number, receipt, invoice, name, e-mail, payment, phone up to '$'. */
const kept =
  '#1001 abc-1001-ab12cd abc/2026-27/0007 anjali menon anjali_m@example.com pay_00000000000001 919847012345$';

/** LIKE, as PostgreSQL reads it with the backslash as escape. */
function isLike(text: string, pattern: string): boolean {
  const source = [...pattern.matchAll(/\\(.)|%|_|[^%_\\]/gsu)].map(([part, escaped]) => {
    if (escaped === undefined && part === '%') return '.*';
    if (escaped === undefined && part === '_') return '.';
    return (escaped ?? part).replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
  });
  return new RegExp(`^${source.join('')}$`, 'su').test(text);
}

function finds(query: string, text = kept): boolean {
  const { all, any } = orderPatterns(query);
  return (
    all.every((pattern) => isLike(text, pattern)) &&
    (any.length === 0 || any.some((pattern) => isLike(text, pattern)))
  );
}

test('an order is found by its number, receipt, names, e-mail and phone, however they are typed', () =>
  eachRow(
    [
      '  ',
      '#1001',
      'ABC-1001-ab12cd',
      'ABC/2026-27/0007',
      'menon ANJALI',
      'anjali_m@example.com',
      '+91 98470 12345',
      '098470-12345',
      '2345',
    ],
    (query) => {
      expect(finds(query)).toBe(true);
    },
  ));

test('an order is not found by a part of its number, the middle of a phone, a wildcard or one name that does not fit', () =>
  eachRow(
    [
      '100',
      '7012',
      '#2345',
      'anjali nair',
      'anjali%example',
      'anjali.m_example',
      String.raw`anjali\_m`,
      '+91 98470 12346',
    ],
    (query) => {
      expect(finds(query)).toBe(false);
    },
  ));

test('a phone without India’s code is found by one with it', () => {
  expect(finds('+91 98470 12345', '#7 abc-7-a  x  9847012345$')).toBe(true);
});

test('a search text is cut to a length and a number of words that cost nothing', () => {
  expect(orderPatterns('a b c d e f g h i j k').all).toHaveLength(8);
  expect(orderPatterns('x'.repeat(5_000)).all).toEqual([`%${'x'.repeat(100)}%`]);
});
