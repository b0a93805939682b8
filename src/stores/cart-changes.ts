import { atom } from 'nanostores';
import { removeFromCart, setQuantity, setSize } from '#domain/cart/cart-changes.ts';
import { cartOf, emptyCart, keyOf } from '#domain/cart/cart.ts';
import type { ProductSize } from '#domain/catalogue/sizes.ts';
import { $cart } from './cart.ts';

/* Changes of what is in the cart. Every page loads `stores/cart.ts`; only the cart and checkout load these. */

export function removeCartItem(key: string): void {
  $cart.set(removeFromCart($cart.get(), key));
}

export function changeQuantity(key: string, quantity: number): void {
  $cart.set(setQuantity($cart.get(), key, quantity));
}

/** The sizes of the products in the cart by product id, once they are fetched. */
export const $cartSizes = atom<ReadonlyMap<string, readonly ProductSize[]>>(new Map());

export function changeSize(key: string, size: ProductSize): void {
  $cart.set(setSize($cart.get(), key, size));
}

export function clearCart(): void {
  $cart.set(emptyCart);
}

/** Caps lines, by their keys, at the quantities that the server takes. */
export function capCartQuantities(max: ReadonlyMap<string, number>): void {
  const items = $cart.get().items.map((item) => {
    const quantity = Math.min(item.quantity, max.get(keyOf(item)) ?? item.quantity);
    return { ...item, quantity };
  });
  $cart.set(cartOf(items));
}

/** Sets the stock of lines, by their keys, to what the server says is left, and caps them at it. */
export function setCartStock(left: ReadonlyMap<string, number>): void {
  const items = $cart
    .get()
    .items.map((item) => ({ ...item, stock: left.get(keyOf(item)) ?? item.stock }));
  $cart.set(cartOf(items));
  capCartQuantities(left);
}
