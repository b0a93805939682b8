import fc from 'fast-check';
import type { CartItem, CartProduct } from '#domain/cart/cart.ts';
import { categories } from '#domain/catalogue/category.ts';

/** A ring of ₹1,000.00 with five in stock, changed as the test needs. */
export function ring(changes: Partial<CartProduct> = {}): CartProduct {
  return {
    id: 'ring-1',
    name: 'Palakka Ring',
    category: 'rings',
    images: ['products/palakka.jpg'],
    price: 100_000,
    offerPrice: null,
    stock: 5,
    ...changes,
  };
}

const anyPrice = fc.integer({ min: 1, max: 100_000_000 });

/** Products over a handful of ids, so that sequences meet the same product again with other facts. */
export const anyProduct: fc.Arbitrary<CartProduct> = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor'),
  name: fc.string({ minLength: 1, maxLength: 12 }),
  category: fc.constantFrom(...categories),
  images: fc.array(fc.string({ maxLength: 8 }), { maxLength: 3 }),
  price: anyPrice,
  offerPrice: fc.option(anyPrice),
  stock: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constant(100)),
  size: fc.constantFrom(undefined, undefined, '12', ''),
});

/** Numbers that a stepper, a script or a bug could send. */
export const anyQuantity = fc.oneof(
  fc.integer({ min: -3, max: 30 }),
  fc.constantFrom(0, 0.5, 1.5, -0.5, Number.NaN, Infinity, -Infinity, Number.MAX_SAFE_INTEGER),
);

export const anyItem: fc.Arbitrary<CartItem> = fc
  .tuple(anyProduct, fc.nat({ max: 12 }))
  .map(([product, quantity]) => ({ ...product, quantity: Math.min(quantity, product.stock) }));
