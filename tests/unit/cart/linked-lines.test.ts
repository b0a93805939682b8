import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addToCart, cartOf, emptyCart, keyOf } from '#domain/cart/cart.ts';
import { lineText, parseLines, withLines } from '#domain/cart/linked-lines.ts';
import type { Product } from '#domain/catalogue/product.ts';
import { shop } from '#settings/shop.ts';
import { eachRow } from '#tests/each-row.ts';
import { times } from '#tests/soak.ts';
import { anyProduct, anyQuantity } from '#tests/unit/support/arbitraries.ts';

const id = '0b1e9f4c-5d2a-4c3b-9e8f-7a6b5c4d3e2f';
const other = '1b1e9f4c-5d2a-4c3b-9e8f-7a6b5c4d3e2f';

describe('the link of a cart', () => {
  test('says product, size and quantity, whatever the size is called', () => {
    const lines = [
      { id, quantity: 2, size: '2.4, wide ½' },
      { id, quantity: 1, size: '14' },
      { id: other, quantity: 20 },
      { id: other, quantity: 1, size: '.5' },
      { id: other, quantity: 1, size: 'ക്രമീകരിക്കാവുന്ന' },
      { id: other, quantity: 1, size: 'वयस्क (समायोज्य)' },
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
        `${id}.1.%E0%A4%A`,
        `${id}.1.${'x'.repeat(41)}`,
        `${id.toUpperCase()}.1`,
        `${other}.1`,
      ],
      (broken) => {
        expect(parseLines(`${other}.1,${broken},${other}.3`)).toEqual([{ id: other, quantity: 1 }]);
      },
    ));
});

describe('the cart that a link is opened in', () => {
  const anyCart = fc
    .array(fc.tuple(anyProduct, anyQuantity), { maxLength: 6 })
    .map((added) =>
      added.reduce((cart, [product, quantity]) => addToCart(cart, product, quantity), emptyCart),
    );
  const anyLines = fc.array(
    // A size that is still to be chosen is in no link.
    fc
      .tuple(
        anyProduct.filter(({ size }) => size !== ''),
        anyQuantity,
      )
      .map(([{ size, ...product }, quantity]) => ({
        product: product as Product,
        ...(size === undefined ? {} : { size }),
        stock: product.stock,
        quantity,
      })),
    { maxLength: 6 },
  );

  test('keeps every line as it was, and a second opening changes nothing', () => {
    fc.assert(
      fc.property(anyCart, anyLines, (cart, lines) => {
        const filled = withLines(cart, lines);
        const chosen = cart.items.filter(({ size }) => size !== '');
        expect(filled.items).toEqual(expect.arrayContaining(chosen));
        expect(filled).toEqual(cartOf(filled.items));
        const keys = filled.items.map(keyOf);
        expect(keys).toEqual(
          expect.arrayContaining(lines.map(({ product, size }) => keyOf({ id: product.id, size }))),
        );
        expect(withLines(filled, lines)).toEqual(filled);
      }),
      { numRuns: times(100, 2_000) },
    );
  });

  test('takes no line more than one order may hold, and loses none for it', () => {
    const line = (id: string) => ({
      id,
      size: undefined,
      name: id,
      category: 'rings',
      images: [],
      price: 100,
      offerPrice: null,
      stock: 5,
      quantity: 1,
    });
    const full = cartOf(Array.from({ length: shop.limits.cartLines }, (_, at) => line(String(at))));
    const product = line('one more') as unknown as Product;
    expect(withLines(full, [{ product, stock: 5, quantity: 1 }])).toEqual(full);
  });
});
