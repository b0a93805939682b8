import { maxQuantity } from './cart-limits.ts';
import { cartOf, keyOf, type Cart } from './cart.ts';

/** Takes out the line with this key. */
export function removeFromCart(cart: Cart, key: string): Cart {
  return cartOf(cart.items.filter((item) => keyOf(item) !== key));
}

/** Sets a line's quantity, rounded down and capped at the limits of a line; 0 or less drops the line, NaN changes nothing. */
export function setQuantity(cart: Cart, key: string, quantity: number): Cart {
  if (Number.isNaN(quantity)) return cart;
  const wanted = Math.floor(quantity);
  return cartOf(
    cart.items
      .map((item) =>
        keyOf(item) === key
          ? { ...item, quantity: Math.min(wanted, maxQuantity(item.stock)) }
          : item,
      )
      .filter((item) => item.quantity > 0 || keyOf(item) !== key),
  );
}
