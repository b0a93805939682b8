import {
  persistentAtom,
  setPersistentEngine,
  windowPersistentEvents,
} from '@nanostores/persistent';
import { computed } from 'nanostores';
import * as rules from '../domain/cart/cart.ts';
import { safeStorage, localStorageOrNull } from '../services/storage/safe-storage.ts';

const storage = localStorageOrNull();
if (storage) setPersistentEngine(safeStorage(storage), windowPersistentEvents);

/** The cart in local storage, shared by all islands and open tabs. */
export const $cart = persistentAtom<rules.Cart>('kasavu:cart', rules.emptyCart, {
  encode: (cart) => JSON.stringify(cart.items),
  decode: rules.parseCart,
});

export const $itemCount = computed($cart, (cart) => cart.itemCount);

/** Adds units of a product. Returns 'limit' when its stock (or the cart's length) allowed fewer than asked. */
export function addCartItem(product: rules.CartProduct, quantity = 1): 'added' | 'limit' {
  const before = $cart.get().itemCount;
  $cart.set(rules.addToCart($cart.get(), product, quantity));
  return $cart.get().itemCount - before === quantity ? 'added' : 'limit';
}

export function removeCartItem(key: string): void {
  $cart.set(rules.removeFromCart($cart.get(), key));
}

export function changeQuantity(key: string, quantity: number): void {
  $cart.set(rules.setQuantity($cart.get(), key, quantity));
}

export function clearCart(): void {
  $cart.set(rules.emptyCart);
}

/** Caps lines, by their keys, at the quantities the server says are left. */
export function capCartQuantities(available: ReadonlyMap<string, number>): void {
  const items = $cart.get().items.map((item) => {
    const stock = available.get(rules.keyOf(item));
    return stock === undefined
      ? item
      : { ...item, stock, quantity: Math.min(item.quantity, stock) };
  });
  $cart.set(rules.cartOf(items));
}
