import { describe, expect, test } from 'vitest';
import { orderFromRow, type PriceLookup } from '#domain/orders/order.ts';
import { row } from './order-row.ts';
import { eachRow } from '#tests/each-row.ts';

describe('the price of an item', () => {
  const prices: PriceLookup = new Map([
    ['p1', { price: 70_000, offerPrice: 60_000 }],
    ['p2', { price: 70_000, offerPrice: null }],
  ]);
  const priced = (item: unknown, amount: unknown = 999) => {
    const [first] = orderFromRow(row({ items: [item], amount }), prices).items;
    return first;
  };

  test('is its own first, then that of its product, then that of the present catalogue, an offer before the price', () =>
    eachRow(
      [
        [{ price: 5, product: { price: 7, offerPrice: 6 }, product_id: 'p1' }, 500],
        [{ price: 0, product: { price: 7, offerPrice: 6 }, product_id: 'p1' }, 600],
        [{ price: null, product: { price: '7', offerPrice: 0 }, product_id: 'p1' }, 700],
        [{ product_id: 'p1' }, 60_000],
        [{ product_id: 'p2', price: -1 }, 70_000],
      ],
      ([item, price]) => {
        expect(priced(item)).toMatchObject({ price, estimated: false });
      },
    ));

  test('unknown, is the order amount over all units, to the paisa and marked as estimated; a known one stays', () =>
    eachRow(
      [
        [900, [{ quantity: 2 }, { quantity: 1, price: 0 }], [30_000, 30_000]],
        [1_000, [{ quantity: 3, price: 200 }, { quantity: 1 }], [20_000, 25_000]],
        [100, [{ quantity: 3 }], [3_333]],
      ],
      ([amount, items, prices]) => {
        const order = orderFromRow(row({ amount, items }));
        expect(order.items.map(({ price }) => price)).toEqual(prices);
        expect(order.items.at(-1)?.estimated).toBe(true);
      },
    ));

  test('stays zero when not even the order has an amount', () => {
    expect(priced({ name: 'Ring' }, 0)).toMatchObject({ price: 0, lineTotal: 0, estimated: true });
  });
});

describe('items of other origins', () => {
  const only = (item: unknown) => orderFromRow(row({ items: [item] })).items[0];

  test('may have some facts outside, which count first unless they are empty, and the rest in raw', () =>
    eachRow(
      [
        [
          { raw: { product_id: 7, name: 'Ring', quantity: 3, price: 12.5 } },
          { productId: '7', name: 'Ring', quantity: 3, price: 1_250, lineTotal: 3_750 },
        ],
        [
          { name: 'Outside', quantity: 2, raw: { name: 'Inside', quantity: 9, price: 5 } },
          { name: 'Outside', quantity: 2, price: 500 },
        ],
        [
          { name: null, quantity: null, price: 0, raw: { name: 'Ring', quantity: 3, price: 5 } },
          { name: 'Ring', quantity: 3, price: 500 },
        ],
        [{ product: { name: 'Palakka Ring' } }, { name: 'Palakka Ring' }],
        [
          { name: 'Ring', quantity: 2, price: { inr: 5 }, product: 'ring', product_id: {} },
          { name: 'Ring', quantity: 2, productId: null },
        ],
        [
          { name: ['x'], quantity: 2, price: 5 },
          { name: 'Unknown Item', quantity: 2, price: 500 },
        ],
      ],
      ([item, read]) => {
        expect(only(item)).toMatchObject(read);
      },
    ));

  test('without a name are shown as Unknown Item, one unit', () =>
    eachRow([{}, { name: '  ' }, { name: 5 }, { raw: 'x' }, null, 'Ring', []], (item) => {
      expect(only(item)).toMatchObject({ name: 'Unknown Item', quantity: 1 });
    }));

  test('count as one unit when their quantity is no whole number above zero', () =>
    eachRow([0, -1, 1.5, 'two', null, '', {}, true, 1e300], (quantity) => {
      expect(only({ name: 'Ring', quantity, price: 5 })).toMatchObject({
        quantity: 1,
        lineTotal: 500,
      });
    }));
});
