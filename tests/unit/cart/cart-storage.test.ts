import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cartOf, emptyCart, keyOf, parseCart, type CartItem } from '#domain/cart/cart.ts';
import { refreshCart } from '#domain/cart/cart-refresh.ts';
import { shop } from '#settings/shop.ts';
import { anyItem, ring } from '#tests/unit/support/arbitraries.ts';
import { eachRow } from '#tests/each-row.ts';
import { times } from '#tests/soak.ts';

const line = (changes: Partial<CartItem> = {}): CartItem => ({
  ...ring(),
  quantity: 2,
  ...changes,
});
const store = (...lines: unknown[]) => JSON.stringify(lines);

describe('a cart from storage', () => {
  test('saved before there were sizes comes back as it was', () => {
    const { size: _none, ...before } = line();
    expect(parseCart(store(before, { ...before, id: 'b', size: null })).items).toEqual([
      before,
      { ...before, id: 'b' },
    ]);
  });

  test('is empty when its text is broken or foreign', () =>
    eachRow(
      ['', 'null', '42', '{"items":[]}', '[', '[null,1,"x",[],{}]', '['.repeat(20_000)],
      (text) => {
        expect(parseCart(text)).toEqual(emptyCart);
      },
    ));

  test('skips a line without a product or a quantity, and keeps the others', () =>
    eachRow(
      [
        { id: '' },
        { id: 7 },
        { quantity: null },
        { quantity: 'two' },
        { quantity: 0.5 },
        { quantity: -2 },
        { quantity: 1e300 },
      ],
      (change) => {
        expect(parseCart(store({ ...line({ id: 'bad' }), ...change }, line()))).toEqual(
          cartOf([line()]),
        );
      },
    ));

  test('a line keeps the customer’s choice, whatever else another version stored of it', () =>
    eachRow<[Record<string, unknown>, Partial<CartItem>]>(
      [
        [{ name: undefined }, { name: '' }],
        [{ price: '1000' }, { price: 0 }],
        [{ price: -1 }, { price: 0 }],
        [{ offerPrice: -1 }, { offerPrice: null }],
        [{ quantity: '2' }, {}],
        [{ colour: 'gold', total: 1 }, {}],
        [{ stock: null }, { stock: shop.limits.unitsPerOrder }],
        [{ images: [1] }, { images: [] }],
      ],
      ([stored, read]) => {
        expect(parseCart(store({ ...line(), ...stored })).items).toEqual([line(read)]);
      },
    ));

  test('of a line with nothing but the choice, the catalogue tells all else and no change', () => {
    const saved = parseCart(store({ id: 'ring-1', quantity: 2 }, { id: 'gone', quantity: 1 }));
    expect(refreshCart(saved, [ring()])).toEqual({
      cart: cartOf([line()]),
      changes: [{ kind: 'removed', name: 'A piece' }],
    });
  });

  test('is capped at the saved stock, at the lines of a cart, and at the first of two lines of one product', () => {
    const quantities = (...lines: CartItem[]) =>
      parseCart(store(...lines)).items.map(({ quantity }) => quantity);
    expect(quantities(line({ quantity: 99, stock: 5 }))).toEqual([5]);
    expect(quantities(line({ quantity: 1 }), line({ quantity: 3 }))).toEqual([1]);
    const many = Array.from({ length: 80 }, (_, n) => line({ id: String(n) }));
    expect(quantities(...many)).toHaveLength(shop.limits.cartLines);
  });

  test('any text, also a list of half-right lines, gives a sound cart and never throws', () => {
    const fields = fc.constantFrom('id', 'price', 'stock', 'quantity', 'images');
    const halfRight = fc
      .tuple(anyItem, fc.dictionary(fields, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }))
      .map(([item, changes]) => ({ ...item, quantity: item.quantity * 3, ...changes }));
    const lines = fc.array(halfRight, { maxLength: 8 }).map((list) => JSON.stringify(list));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), lines), (text) => {
        const { items } = parseCart(text);
        expect(parseCart(text)).toEqual(cartOf(items));
        expect(new Set(items.map(keyOf)).size).toBe(items.length);
        for (const item of items) expect(item.quantity).toBeLessThanOrEqual(item.stock);
      }),
      { numRuns: times(1_500, 5_000) },
    );
  });
});
