import {
  persistentAtom,
  setPersistentEngine,
  windowPersistentEvents,
} from '@nanostores/persistent';
import * as rules from '../domain/cart/cart.ts';
import { safeStorage, localStorageOrNull } from '../services/storage/safe-storage.ts';

const storage = localStorageOrNull();
if (storage) setPersistentEngine(safeStorage(storage), windowPersistentEvents);

/** The cart in local storage, shared by all islands and open tabs. */
export const $cart = persistentAtom<rules.Cart>('kasavu:cart', rules.emptyCart, {
  encode: (cart) => JSON.stringify(cart.items),
  decode: rules.parseCart,
});

/** Adds units of a product. Returns 'limit' when its stock (or the cart's length) allowed fewer than requested. */
export function addCartItem(product: rules.CartProduct, quantity = 1): 'added' | 'limit' {
  const before = $cart.get().itemCount;
  $cart.set(rules.addToCart($cart.get(), product, quantity));
  return $cart.get().itemCount - before === quantity ? 'added' : 'limit';
}
