import {
  persistentAtom,
  setPersistentEngine,
  windowPersistentEvents,
} from '@nanostores/persistent';
import { limitOf, type CartLimit } from '../domain/cart/cart-limits.ts';
import * as rules from '../domain/cart/cart.ts';
import { safeStorage, localStorageOrNull } from '../services/storage/safe-storage.ts';

const storage = localStorageOrNull();
if (storage) setPersistentEngine(safeStorage(storage), windowPersistentEvents);

/** The cart in local storage, shared by all islands and open tabs. */
export const $cart = persistentAtom<rules.Cart>('kasavu:cart', rules.emptyCart, {
  encode: (cart) => JSON.stringify(cart.items),
  decode: rules.parseCart,
});

/** Adds units of a product. Returns the limit that allowed fewer than requested. */
export function addCartItem(product: rules.CartProduct, quantity = 1): 'added' | CartLimit {
  const before = $cart.get();
  const after = rules.addToCart(before, product, quantity);
  $cart.set(after);
  if (after.itemCount - before.itemCount === quantity) return 'added';
  return after === before ? 'lines' : limitOf(product.stock);
}
