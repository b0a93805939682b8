import { describe, expect, test } from 'vitest';
import { eachRow } from '../../../../tests/each-row.ts';
import { shop } from '../../../settings/shop.ts';
import { lineText, parseLines } from './order-link.ts';

const id = '0b1e9f4c-5d2a-4c3b-9e8f-7a6b5c4d3e2f';
const other = '1b1e9f4c-5d2a-4c3b-9e8f-7a6b5c4d3e2f';

describe('the link of a cart', () => {
  test('says product, size and quantity, whatever the size is called', () => {
    const lines = [
      { id, quantity: 2, size: '2.4, wide ½' },
      { id, quantity: 1, size: '14' },
      { id: other, quantity: 20 },
    ];
    expect(parseLines(lineText(lines))).toEqual(lines);
  });

  test('is capped at what one order may hold', () => {
    expect(parseLines(`${id}.999999`)).toEqual([{ id, quantity: shop.limits.unitsPerOrder }]);
    const many = Array.from({ length: 99 }, (_, at) => `${id}.1.${String(at)}`).join(',');
    expect(parseLines(many)).toHaveLength(shop.limits.cartLines);
  });

  test('skips what is no line and keeps the one beside it, once', () =>
    eachRow(
      [
        '',
        id,
        `${id}.0`,
        `${id}.-1`,
        `${id}.1..5`,
        `${id}.1.%E0%A4%A`,
        `${id}.1.${'x'.repeat(21)}`,
        `${id.toUpperCase()}.1`,
        `${other}.1`,
      ],
      (broken) => {
        expect(parseLines(`${other}.1,${broken},${other}.3`)).toEqual([{ id: other, quantity: 1 }]);
      },
    ));
});
