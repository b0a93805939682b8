import { cartOf } from '#domain/cart/cart.ts';
import { parseLines, withLines } from '#domain/cart/linked-lines.ts';
import { fetchLinkedLines } from '#services/catalogue/fetch-linked-lines.ts';
import { $cart } from '#stores/cart.ts';

/** Adds the lines of a mailed link to this browser's cart and opens it. False when the link has none. Throws as `fetchLinkedLines`. */
export async function openCart(fragment: string): Promise<boolean> {
  const lines = parseLines(fragment);
  if (lines.length === 0) return false;
  const current = await fetchLinkedLines(lines);
  $cart.set(cartOf(withLines($cart.get(), current).items));
  window.location.replace('/cart');
  return true;
}
