import { describe, expect, test } from 'vitest';
import { orderFromRow, type PriceLookup } from '../../../src/domain/orders/order.ts';
import { row } from './order-row.ts';
import { eachRow } from '../../each-row.ts';

describe('the price of an item', () => {
  const prices: PriceLookup = new Map([
    ['p1', { price: 70_000, offerPrice: 60_000 }],
    ['p2', { price: 70_000, offerPrice: null }],
  ]);
  const priced = (item: unknown, amount: unknown = 999) => {
    const [first] = orderFromRow(row({ items: [item], amount }), prices).items;
    return first;
  };

  test.each<[string, unknown, number]>([
    ['its own first', { price: 5, product: { price: 7, offerPrice: 6 }, product_id: 'p1' }, 500],
    [
      'then the product offer',
      { price: 0, product: { price: 7, offerPrice: 6 }, product_id: 'p1' },
      600,
    ],
    [
      'then the product price',
      { price: null, product: { price: '7', offerPrice: 0 }, product_id: 'p1' },
      700,
    ],
    ['then the offer of the present catalogue', { product_id: 'p1' }, 60_000],
    ['then the price of the present catalogue', { product_id: 'p2', price: -1 }, 70_000],
  ])('is %s', (_which, item, paise) => {
    expect(priced(item)).toMatchObject({ price: paise, estimated: false });
  });

  test('unknown, is the order amount over the total quantity, marked as estimated', () => {
    const order = orderFromRow(
      row({
        amount: 900,
        items: [
          { name: 'Ring', quantity: 2 },
          { name: 'Chain', quantity: 1, price: 0 },
        ],
      }),
    );
    expect(order.items).toMatchObject([
      { price: 30_000, lineTotal: 60_000, estimated: true },
      { price: 30_000, lineTotal: 30_000, estimated: true },
    ]);
  });

  test('unknown beside a known one, counts all units and leaves the known price', () => {
    const order = orderFromRow(
      row({
        amount: 1000,
        items: [
          { name: 'Ring', quantity: 3, price: 200 },
          { name: 'Chain', quantity: 1 },
        ],
      }),
    );
    expect(order.items).toMatchObject([
      { price: 20_000, estimated: false },
      { price: 25_000, estimated: true },
    ]);
  });

  test('is rounded to the paisa when the amount does not divide', () => {
    expect(orderFromRow(row({ amount: 100, items: [{ quantity: 3 }] })).items).toMatchObject([
      { price: 3_333 },
    ]);
  });

  test('stays zero when not even the order has an amount', () => {
    expect(priced({ name: 'Ring' }, 0)).toMatchObject({ price: 0, lineTotal: 0, estimated: true });
  });
});

describe('items of other origins', () => {
  const only = (item: unknown) => orderFromRow(row({ items: [item] })).items[0];

  test('may wrap everything in a raw sub-object', () => {
    expect(only({ raw: { product_id: 7, name: 'Ring', quantity: 3, price: 12.5 } })).toMatchObject({
      productId: '7',
      name: 'Ring',
      quantity: 3,
      price: 1_250,
      lineTotal: 3_750,
      estimated: false,
    });
  });

  test('may carry some facts outside, which count first, and the rest in raw', () => {
    expect(
      only({ name: 'Outside', quantity: 2, raw: { name: 'Inside', quantity: 9, price: 5 } }),
    ).toMatchObject({
      name: 'Outside',
      quantity: 2,
      price: 500,
    });
  });

  test('have facts in raw that an empty one outside does not hide', () => {
    const item = {
      name: null,
      quantity: null,
      price: 0,
      product_id: '',
      raw: { name: 'Ring', quantity: 3, price: 5, product_id: 'p9' },
    };
    expect(only(item)).toMatchObject({ name: 'Ring', quantity: 3, price: 500, productId: 'p9' });
  });

  test('without a name are shown as Unknown Item, one unit', () =>
    eachRow(
      [
        {},
        { name: '' },
        { name: '  ' },
        { name: null },
        { name: 5 },
        { raw: null },
        { raw: 'x' },
        null,
        'Ring',
        7,
        [],
      ],
      (item) => {
        expect(only(item)).toMatchObject({ name: 'Unknown Item', quantity: 1 });
      },
    ));

  test('take the name of their product when they have none', () => {
    expect(only({ product: { name: 'Palakka Ring' } })).toMatchObject({ name: 'Palakka Ring' });
  });

  test('count as one unit when their quantity is no whole number above zero', () =>
    eachRow([0, -1, 1.5, 'two', null, '', {}, true, 1e300], (quantity) => {
      expect(only({ name: 'Ring', quantity, price: 5 })).toMatchObject({
        quantity: 1,
        lineTotal: 500,
      });
    }));

  test('keep what is readable when one fact is not', () => {
    expect(
      only({ name: 'Ring', quantity: 2, price: { inr: 5 }, product: 'ring', product_id: {} }),
    ).toMatchObject({
      name: 'Ring',
      quantity: 2,
      productId: null,
    });
    expect(only({ name: ['x'], quantity: 2, price: 5 })).toMatchObject({
      name: 'Unknown Item',
      quantity: 2,
      price: 500,
    });
  });
});
