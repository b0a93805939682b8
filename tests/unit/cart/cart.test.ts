import { describe, expect, test, vi } from 'vitest';
import { removeFromCart, setQuantity, setSize } from '#domain/cart/cart-changes.ts';
import { addToCart, cartOf, emptyCart, keyOf, parseCart } from '#domain/cart/cart.ts';
import { summarizeCart } from '#domain/cart/cart-summary.ts';
import { refreshCart } from '#domain/cart/cart-refresh.ts';
import { formatRupees } from '#domain/money.ts';
import { shop } from '#settings/shop.ts';
import { ring } from '#tests/unit/support/arbitraries.ts';
import { eachRow } from '#tests/each-row.ts';

vi.mock('#shop/shop.ts', async () => ({
  shop: (await import('#tests/sample-shop.ts')).sampleShop,
}));

const quantities = (cart: { items: readonly { quantity: number }[] }) =>
  cart.items.map((item) => item.quantity);

describe('adding', () => {
  test('a product starts at 1 and counts from what is there, never above stock', () => {
    const cart = addToCart(addToCart(emptyCart, ring()), ring(), 3);
    expect(cart).toEqual({ items: [{ ...ring(), quantity: 4 }], total: 400_000, itemCount: 4 });
    expect(quantities(addToCart(cart, ring(), 9))).toEqual([5]);
    expect(quantities(addToCart(emptyCart, ring({ stock: 0 })))).toEqual([0]);
  });

  test('a number below one unit adds one, as the button says', () =>
    eachRow([0, -1, -100, Number.NaN, 0.5, -Infinity], (quantity) => {
      const cart = addToCart(emptyCart, ring(), quantity);
      expect(quantities(cart)).toEqual([1]);
      expect(quantities(addToCart(cart, ring(), quantity))).toEqual([2]);
    }));

  test('adding a product again updates its name, price and stock', () => {
    const now = ring({ name: 'Palakka Ring, small', price: 90_000, offerPrice: 80_000, stock: 1 });
    const cart = addToCart(addToCart(emptyCart, ring(), 3), now);
    expect(cart).toEqual({ items: [{ ...now, quantity: 1 }], total: 80_000, itemCount: 1 });
  });

  test('a full cart accepts no further product, but more of those in it', () => {
    let cart = emptyCart;
    for (let n = 0; n < shop.limits.cartLines; n += 1)
      cart = addToCart(cart, ring({ id: `ring-${String(n)}` }));
    expect(addToCart(cart, ring({ id: 'one too many' }))).toEqual(cart);
    expect(addToCart(cart, ring({ id: 'ring-7' })).itemCount).toBe(shop.limits.cartLines + 1);
  });

  test('one order’s units of a product are the most, whatever there is of it; each size counts by itself', () => {
    const many = ring({ stock: 100 });
    const { unitsPerOrder } = shop.limits;
    const cart = addToCart(emptyCart, many, 30);
    expect(cart.items).toEqual([{ ...many, quantity: unitsPerOrder }]);
    expect(quantities(addToCart(cart, many))).toEqual([unitsPerOrder]);
    expect(quantities(setQuantity(cart, 'ring-1', 60))).toEqual([unitsPerOrder]);
    expect(quantities(addToCart(cart, { ...many, size: '14' }, 30))).toEqual([
      unitsPerOrder,
      unitsPerOrder,
    ]);
  });
});

describe('changing quantities', () => {
  test('a quantity is capped at stock, dropped at 0 or less, and stays for what is no number', () => {
    const two = addToCart(addToCart(emptyCart, ring({ id: 'a' }), 2), ring({ id: 'b' }), 2);
    expect(setQuantity(two, 'x', 3)).toEqual(two);
    expect(removeFromCart(two, 'x')).toEqual(two);
    return eachRow(
      [
        [1, [1, 2]],
        [5, [5, 2]],
        [6, [5, 2]],
        [Infinity, [5, 2]],
        [2.9, [2, 2]],
        [Number.NaN, [2, 2]],
        [0, [2]],
        [-1, [2]],
        [0.5, [2]],
      ],
      ([quantity, expected]) => {
        expect(quantities(setQuantity(two, 'a', quantity))).toEqual(expected);
      },
    );
  });
});

describe('changing the size of a line', () => {
  const [line] = addToCart(emptyCart, ring({ id: 'a', stock: 9 }), 1).items;
  if (line === undefined) throw new Error('The ring is not in the cart');
  const sized = (size: string, quantity: number) => ({ ...line, quantity, size });
  const shown = (items: Parameters<typeof cartOf>[0], size: string, stock: number) =>
    setSize(cartOf(items), 'a:14', { size, stock }).items.map(
      (item) => `${item.size ?? ''} × ${String(item.quantity)} of ${String(item.stock)}`,
    );

  test('keeps the quantity, up to the stock of the new size', () => {
    expect(shown([sized('14', 3)], '16', 5)).toEqual(['16 × 3 of 5']);
    expect(shown([sized('14', 3)], '16', 2)).toEqual(['16 × 2 of 2']);
    expect(shown([{ ...sized('14', 1), quantity: 0 }], '16', 2)).toEqual(['16 × 1 of 2']);
  });

  test('joins the line that has this size already', () => {
    expect(shown([sized('14', 2), sized('16', 1)], '16', 5)).toEqual(['16 × 3 of 5']);
  });

  test('changes nothing for the same size and for an unknown line', () => {
    expect(shown([sized('14', 2)], '14', 1)).toEqual(['14 × 2 of 9']);
    expect(shown([sized('12', 2)], '16', 1)).toEqual(['12 × 2 of 9']);
  });
});

describe('figures', () => {
  test('the summary is subtotal, 2.36 percent fee and their sum', () => {
    const cart = addToCart(emptyCart, ring({ price: 12_345_600, stock: 1 }));
    const summary = summarizeCart(cart);
    expect(summary).toMatchObject({ code: null, total: 12_636_956, cash: null });
    expect(summary.rows.map(({ kind, paise }) => [kind, paise])).toEqual([
      ['goods', 12_345_600],
      ['fee', 291_356],
    ]);
    expect(formatRupees(summary.total)).toBe('₹1,26,369.56');
  });
});

describe('refreshing from the catalogue', () => {
  const name = 'Palakka Ring';
  const offered = ring({ offerPrice: 90_000 });

  test('brings price and stock up to date, and tells what the customer has to know', () =>
    eachRow(
      [
        ['nothing changed', ring(), ring(), 4, []],
        ['less stock', ring(), ring({ stock: 2 }), 2, [{ kind: 'stock', name, quantity: 2 }]],
        ['sold out', ring(), ring({ stock: 0 }), 0, [{ kind: 'stock', name, quantity: 0 }]],
        ['back in stock', ring({ stock: 0 }), ring({ stock: 3 }), 1, []],
        ['a list price behind an offer', offered, { ...offered, price: 130_000 }, 4, []],
        [
          'an ended offer and less stock',
          offered,
          ring({ stock: 1 }),
          1,
          [
            { kind: 'price', name, from: 90_000, to: 100_000 },
            { kind: 'stock', name, quantity: 1 },
          ],
        ],
      ] as const,
      ([, before, now, quantity, changes]) => {
        const refreshed = refreshCart(addToCart(emptyCart, before, 4), [now]);
        expect(refreshed).toEqual({ cart: cartOf([{ ...now, quantity }]), changes });
      },
    ));

  test('takes over every fact of a product', () => {
    const now = ring({
      name: 'Palakka Ring II',
      category: 'earrings',
      images: ['products/new.jpg', 'products/side.jpg'],
      price: 120_000,
      offerPrice: 110_000,
      stock: 9,
    });
    expect(refreshCart(addToCart(emptyCart, ring(), 4), [now])).toEqual({
      cart: { items: [{ ...now, quantity: 4 }], total: 440_000, itemCount: 4 },
      changes: [{ kind: 'price', name: now.name, from: 100_000, to: 110_000 }],
    });
  });

  test('removes a deleted product, and reports it by its stored name', () => {
    expect(refreshCart(addToCart(emptyCart, ring()), [])).toEqual({
      cart: emptyCart,
      changes: [{ kind: 'removed', name }],
    });
  });

  test('caps a quantity above what one order may hold, with a sentence of its own, and keeps the stock', () => {
    const many = { ...ring({ stock: 100 }), quantity: 30 };
    expect(refreshCart(cartOf([many]), [ring({ stock: 90 })])).toMatchObject({
      cart: { items: [{ stock: 90, quantity: shop.limits.unitsPerOrder }] },
      changes: [{ kind: 'units', name }],
    });
  });
});

describe('sizes', () => {
  const sized = (size: string, stock = 3) => ring({ size, stock });
  const now = (sizes: Readonly<Record<string, number>>) => ({
    ...ring({ stock: Object.values(sizes).reduce((sum, stock) => sum + stock, 0) }),
    sizes: Object.entries(sizes).map(([size, stock]) => ({ size, stock })),
  });
  const two = addToCart(addToCart(emptyCart, sized('12'), 2), sized('14', 1));

  test('sizes of one product are two lines, each with a stock and a quantity of its own', () => {
    expect(two.items.map(keyOf)).toEqual(['ring-1:12', 'ring-1:14']);
    expect(quantities(addToCart(two, sized('14', 1)))).toEqual([2, 1]);
    expect(quantities(setQuantity(two, 'ring-1:12', 9))).toEqual([3, 1]);
    expect(removeFromCart(two, 'ring-1:12').items.map(keyOf)).toEqual(['ring-1:14']);
    expect(parseCart(JSON.stringify(two.items))).toEqual(two);
  });

  test('are refreshed one by one: one that is gone is out of stock', () => {
    const { cart, changes } = refreshCart(two, [now({ '12': 1, '16': 4 })]);
    expect(cart.items.map((item) => [item.size, item.stock, item.quantity])).toEqual([
      ['12', 1, 1],
      ['14', 0, 0],
    ]);
    expect(changes).toEqual([
      { kind: 'stock', name: 'Palakka Ring · Size 12', quantity: 1 },
      { kind: 'stock', name: 'Palakka Ring · Size 14', quantity: 0 },
    ]);
    expect(refreshCart(two, [now({})]).cart.items.map(({ quantity }) => quantity)).toEqual([0, 0]);
  });

  test('that a product got since are to be chosen: the line stays, costs nothing, and the chosen one takes its place', () => {
    const { cart, changes } = refreshCart(addToCart(emptyCart, ring(), 2), [now({ '12': 2 })]);
    expect(cart).toMatchObject({ items: [{ size: '', quantity: 0 }], total: 0 });
    expect(changes).toEqual([{ kind: 'size', name: 'Palakka Ring' }]);
    expect(refreshCart(cart, [now({ '12': 2 })]).changes).toEqual([]);
    expect(addToCart(cart, sized('12')).items.map((item) => [item.size, item.quantity])).toEqual([
      ['12', 1],
    ]);
    expect(
      refreshCart(cart, [now({})]).cart.items.map((item) => [item.size, item.quantity]),
    ).toEqual([[undefined, 0]]);
  });
});
