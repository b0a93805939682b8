import { removeFromCart, setQuantity } from '../domain/cart/cart-changes.ts';
import { cartOf, emptyCart, keyOf } from '../domain/cart/cart.ts';
import { $cart } from './cart.ts';

/* Changes of what is in the cart. Every page loads `stores/cart.ts`; only the cart and checkout load these. */

export function removeCartItem(key: string): void {
  $cart.set(removeFromCart($cart.get(), key));
}

export function changeQuantity(key: string, quantity: number): void {
  $cart.set(setQuantity($cart.get(), key, quantity));
}

export function clearCart(): void {
  $cart.set(emptyCart);
}

/** Caps lines, by their keys, at the quantities the server says are left. */
export function capCartQuantities(available: ReadonlyMap<string, number>): void {
  const items = $cart.get().items.map((item) => {
    const stock = available.get(keyOf(item));
    return stock === undefined
      ? item
      : { ...item, stock, quantity: Math.min(item.quantity, stock) };
  });
  $cart.set(cartOf(items));
}
