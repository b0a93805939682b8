import { limitOf, type CartLimit } from '#domain/cart/cart-limits.ts';
import * as rules from '#domain/cart/cart.ts';
import { localTexts } from '#services/storage/browser-storage.ts';
import { storedAtom } from './stored-atom.ts';

const key = 'kasavu:cart';

/** The cart in local storage, shared by all islands and open tabs. */
export const $cart = storedAtom<rules.Cart>(key, rules.emptyCart, {
  encode: (cart) => JSON.stringify(cart.items),
  decode: rules.parseCart,
});

/**
 * Adds units of a product. Returns the limit that allowed fewer than requested, or 'unkept' when this browser would forget the cart
 * with the page, and the cart stays as it was.
 */
export function addCartItem(
  product: rules.CartProduct,
  quantity = 1,
): 'added' | 'unkept' | CartLimit {
  const before = $cart.get();
  const after = rules.addToCart(before, product, quantity);
  $cart.set(after);
  if (!localTexts.outlivesPage(key)) {
    $cart.set(before);
    return 'unkept';
  }
  if (after.itemCount - before.itemCount === quantity) return 'added';
  return after === before ? 'lines' : limitOf(product.stock);
}
