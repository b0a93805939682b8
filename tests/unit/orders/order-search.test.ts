import { describe, expect, test } from 'vitest';
import { orderPatterns } from '../../../src/domain/admin/orders/order-search.ts';

/** As the database keeps it: number, receipt, invoice, name, e-mail, payment, phone up to '$'. */
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

describe('an order is found by', () => {
  test.each([
    ['nothing at all', '  '],
    ['its number', '1001'],
    ['its number with a hash', '#1001'],
    ['its receipt', 'ABC-1001-ab12cd'],
    ['a part of a name', 'Menon'],
    ['two names in any order', 'menon ANJALI'],
    ['an e-mail', 'anjali_m@example.com'],
    ['a phone', '9847012345'],
    ['a phone with +91', '+91 98470 12345'],
    ['a phone with 0', '098470-12345'],
    ['the end of a phone', '2345'],
  ])('%s', (_what, query) => {
    expect(finds(query)).toBe(true);
  });
});

describe('an order is not found by', () => {
  test.each([
    ['a part of its number', '100'],
    ['the middle of a phone', '7012'],
    ['a hash and the end of a phone', '#2345'],
    ['one name that fits and one that does not', 'anjali nair'],
    ['a wildcard', 'anjali%example'],
    ['another wildcard', 'anjali.m_example'],
    ['a backslash', String.raw`anjali\_m`],
    ['another phone', '+91 98470 12346'],
  ])('%s', (_what, query) => {
    expect(finds(query)).toBe(false);
  });
});

test('a phone without India’s code is found by one with it', () => {
  expect(finds('+91 98470 12345', '#7 abc-7-a  x  9847012345$')).toBe(true);
});

test('a search text is cut to a length and a number of words that cost nothing', () => {
  expect(orderPatterns('a b c d e f g h i j k').all).toHaveLength(8);
  expect(orderPatterns('x'.repeat(5_000)).all).toEqual([`%${'x'.repeat(100)}%`]);
});
