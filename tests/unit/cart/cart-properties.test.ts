import fc from 'fast-check';
import { expect, test } from 'vitest';
import { removeFromCart, setQuantity } from '#domain/cart/cart-changes.ts';
import * as rules from '#domain/cart/cart.ts';
import { summarizeCart } from '#domain/cart/cart-summary.ts';
import { refreshCart } from '#domain/cart/cart-refresh.ts';
import type { ProductSize } from '#domain/catalogue/sizes.ts';
import { formatRupees, paiseFromRupees, rupeesFromPaise } from '#domain/money.ts';
import { shop } from '#settings/shop.ts';
import { anyProduct, anyQuantity } from '#tests/unit/support/arbitraries.ts';
import { times } from '#tests/soak.ts';

type Step =
  | { kind: 'add'; product: rules.CartProduct; quantity: number }
  | { kind: 'set'; key: string; quantity: number }
  | { kind: 'remove'; key: string }
  | { kind: 'refresh'; catalogue: (rules.CartProduct & { sizes: ProductSize[] })[] }
  | { kind: 'reload' };

const anySizes = fc.uniqueArray(
  fc.record({ size: fc.constantFrom('12', '14'), stock: fc.nat(5) }),
  { selector: ({ size }) => size, maxLength: 2 },
);
const anyKey = anyProduct.map(rules.keyOf);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      product: anyProduct,
      quantity: anyQuantity,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('set' as const), key: anyKey, quantity: anyQuantity }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), key: anyKey }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('refresh' as const),
      catalogue: fc.array(
        fc.tuple(anyProduct, anySizes).map(([product, sizes]) => ({ ...product, sizes })),
        { maxLength: 6 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reload' as const) }) },
);

function take(cart: rules.Cart, step: Step): rules.Cart {
  switch (step.kind) {
    case 'add':
      return rules.addToCart(cart, step.product, step.quantity);
    case 'set':
      return setQuantity(cart, step.key, step.quantity);
    case 'remove':
      return removeFromCart(cart, step.key);
    case 'refresh':
      return refreshCart(cart, step.catalogue).cart;
    case 'reload':
      return rules.parseCart(JSON.stringify(cart.items));
  }
}

function expectSound(cart: rules.Cart): void {
  let total = 0;
  let count = 0;
  for (const item of cart.items) {
    expect(Number.isInteger(item.quantity)).toBe(true);
    expect(item.quantity).toBeGreaterThanOrEqual(0);
    expect(item.quantity).toBeLessThanOrEqual(Math.min(item.stock, shop.limits.unitsPerOrder));
    total += (item.offerPrice ?? item.price) * item.quantity;
    count += item.quantity;
  }
  expect(cart.items.length).toBeLessThanOrEqual(shop.limits.cartLines);
  expect(cart.total).toBe(total);
  expect(cart.itemCount).toBe(count);
  expect(new Set(cart.items.map(rules.keyOf)).size).toBe(cart.items.length);
  expect(rules.parseCart(JSON.stringify(cart.items))).toEqual(cart);
}

test('after any sequence of actions every quantity is a whole number within stock, the figures add up and a reload changes nothing', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 30 }), (steps) => {
      let cart = rules.emptyCart;
      for (const step of steps) {
        cart = take(cart, step);
        expectSound(cart);
      }
    }),
    { numRuns: times(500, 1_500) },
  );
});

test('refreshing twice from the same catalogue changes nothing the second time', () => {
  fc.assert(
    fc.property(
      fc.array(anyStep, { maxLength: 12 }),
      fc.array(anyProduct, { maxLength: 6 }),
      (steps, catalogue) => {
        const once = refreshCart(steps.reduce(take, rules.emptyCart), catalogue).cart;
        expect(refreshCart(once, catalogue)).toEqual({ cart: once, changes: [] });
      },
    ),
    { numRuns: times(500, 1_500) },
  );
});

test('the price shown is the price charged to the paisa, over many random carts', () => {
  // A seeded generator in place of fast-check, which is too slow for so many carts; the seed names the failure.
  const seed = 20_260_214;
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const wrong: unknown[] = [];
  for (let run = 0; run < times(30_000, 120_000); run += 1) {
    const lines = Array.from({ length: 1 + next(5) }, (_, index) => {
      const price = 1 + next(10_000_000);
      const offerPrice = next(3) === 0 ? 1 + next(price) : null;
      const stock = 1 + next(9);
      return { id: String(index), price, offerPrice, stock, quantity: 1 + next(stock) };
    });
    const items = lines.map((line) => ({ ...line, name: '', category: 'rings', images: [] }));
    const shown = summarizeCart(rules.cartOf(items));
    // The total that `place_order` computes from its own prices, in integers.
    const subtotal = lines.reduce(
      (sum, line) => sum + BigInt(line.offerPrice ?? line.price) * BigInt(line.quantity),
      0n,
    );
    const charged = Number(subtotal + (subtotal * BigInt(shop.platformFeeBps) + 5_000n) / 10_000n);
    const read = Number(formatRupees(shown.total).replace(/[₹,.]/gu, ''));
    const sent = paiseFromRupees(rupeesFromPaise(shown.total));
    if (read !== charged || sent !== charged || shown.total !== charged) wrong.push({ run, lines });
  }
  expect(wrong, `seed ${String(seed)}`).toEqual([]);
});
