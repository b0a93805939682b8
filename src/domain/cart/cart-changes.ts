import { maxQuantity } from './cart-limits.ts';
import type { ProductSize } from '#domain/catalogue/sizes.ts';
import { cartOf, keyOf, type Cart } from './cart.ts';

/** Removes the line with this key. */
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

/** Gives the line with this key another size, one unit at least. It joins the line that has this size already. */
export function setSize(cart: Cart, key: string, { size, stock }: ProductSize): Cart {
  const line = cart.items.find((item) => keyOf(item) === key);
  if (!line || line.size === size) return cart;
  const same = cart.items.find((item) => item.id === line.id && item.size === size);
  const wanted = Math.max(line.quantity, 1) + (same?.quantity ?? 0);
  const changed = { ...line, size, stock, quantity: Math.min(wanted, maxQuantity(stock)) };
  return cartOf(
    cart.items.filter((item) => item !== same).map((item) => (item === line ? changed : item)),
  );
}
