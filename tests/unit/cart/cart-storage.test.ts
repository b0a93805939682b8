import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cartOf,
  emptyCart,
  keyOf,
  parseCart,
  type CartItem,
} from '../../../src/domain/cart/cart.ts';
import { refreshCart } from '../../../src/domain/cart/cart-refresh.ts';
import { shop } from '../../../src/settings/shop.ts';
import { anyItem, ring } from '../support/arbitraries.ts';
import { eachRow } from '../../each-row.ts';
import { times } from '../../soak.ts';

const line = (changes: Partial<CartItem> = {}): CartItem => ({
  ...ring(),
  quantity: 2,
  ...changes,
});
const store = (...lines: unknown[]) => JSON.stringify(lines);

describe('a cart from storage', () => {
  test('a saved cart comes back', () => {
    expect(parseCart(store(line(), line({ id: 'b', offerPrice: 5_000 })))).toEqual(
      cartOf([line(), line({ id: 'b', offerPrice: 5_000 })]),
    );
  });

  test('saved before there were sizes comes back as it was', () => {
    const { size: _none, ...before } = line();
    expect(parseCart(store(before, { ...before, id: 'b', size: null })).items).toEqual([
      before,
      { ...before, id: 'b' },
    ]);
  });

  test('is empty when its text is broken or foreign', () =>
    eachRow(
      [
        '',
        ' ',
        'null',
        'true',
        '42',
        '"text"',
        '{}',
        '{"items":[]}',
        '[',
        '[object Object]',
        'undefined',
        '\u0000',
        '[null,1,"x",[],{}]',
        '['.repeat(20_000),
        '{"length":1,"0":{}}',
      ],
      (text) => {
        expect(parseCart(text)).toEqual(emptyCart);
      },
    ));

  test('skips a line without a product or a quantity, and keeps the others', () =>
    eachRow<[string, Record<string, unknown>]>(
      [
        ['an empty id', { id: '' }],
        ['a numeric id', { id: 7 }],
        ['no quantity', { quantity: null }],
        ['words as a quantity', { quantity: 'two' }],
        ['half a unit', { quantity: 0.5 }],
        ['a negative quantity', { quantity: -2 }],
        ['a quantity beyond counting', { quantity: 1e300 }],
      ],
      ([, change]) => {
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
        [{ price: 10.5 }, { price: 0 }],
        [{ offerPrice: -1 }, { offerPrice: null }],
        [{ offerPrice: undefined }, { offerPrice: null }],
        [{ quantity: '2' }, {}],
        [{ stock: null }, { stock: shop.limits.unitsPerOrder }],
        [{ images: 'a.jpg' }, { images: [] }],
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

  test('a quantity above the saved stock is capped', () => {
    expect(parseCart(store(line({ quantity: 99, stock: 5 }))).items).toEqual([
      line({ quantity: 5 }),
    ]);
  });

  test('a cart from storage keeps the first of a duplicate product', () => {
    expect(parseCart(store(line({ quantity: 1 }), line({ quantity: 3 }))).items).toEqual([
      line({ quantity: 1 }),
    ]);
  });

  test('columns of another version are dropped', () => {
    expect(parseCart(store({ ...line(), colour: 'gold', total: 1 })).items).toEqual([line()]);
  });

  test('no more lines than the cart may have', () => {
    const many = Array.from({ length: 80 }, (_, n) => line({ id: String(n) }));
    expect(parseCart(store(...many)).items).toHaveLength(shop.limits.cartLines);
  });

  test('any text gives a sound cart and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const cart = parseCart(text);
        expect(cart).toEqual(cartOf(cart.items));
      }),
      { numRuns: times(1_500, 5_000) },
    );
  });

  test('any list of half-right lines gives quantities within stock, once a product', () => {
    const wild = fc.anything({ maxDepth: 1 });
    const halfRight = fc
      .tuple(
        anyItem,
        fc.dictionary(fc.constantFrom('id', 'price', 'stock', 'quantity', 'images'), wild, {
          maxKeys: 2,
        }),
      )
      .map(([item, changes]) => ({ ...item, quantity: item.quantity * 3, ...changes }));
    fc.assert(
      fc.property(fc.array(halfRight, { maxLength: 8 }), (lines) => {
        let text: string;
        try {
          text = JSON.stringify(lines);
        } catch {
          return; // A value that JSON cannot hold cannot be in storage.
        }
        const { items } = parseCart(text);
        expect(new Set(items.map(keyOf)).size).toBe(items.length);
        for (const item of items) expect(item.quantity).toBeLessThanOrEqual(item.stock);
      }),
      { numRuns: times(600, 2_000) },
    );
  });
});
