import { cartOf } from '#domain/cart/cart.ts';
import { lineText, parseLines, withLines } from '#domain/cart/linked-lines.ts';
import { newOrderHash } from '#domain/admin/orders/orders-address.ts';
import { fetchLinkedLines } from '#services/catalogue/fetch-linked-lines.ts';
import { hasAdminFlag } from '#services/admin/session.ts';
import { $cart } from '#stores/cart.ts';

/** Whether the admin is logged in here. The flag alone opens nothing, and a customer must not meet a login. */
async function isAdmin(): Promise<boolean> {
  if (!hasAdminFlag()) return false;
  return fetch('/api/admin/session').then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Opens a link's lines: the admin's form of a new order, or for everybody else a cart. False when the link has none. @throws as `fetchLinkedLines`. */
export async function openLines(fragment: string): Promise<boolean> {
  const lines = parseLines(fragment);
  if (lines.length === 0) return false;
  if (await isAdmin()) {
    window.location.replace(`/admin${newOrderHash}?${lineText(lines)}`);
    return true;
  }
  const current = await fetchLinkedLines(lines);
  $cart.set(cartOf(withLines($cart.get(), current).items));
  window.location.replace('/cart');
  return true;
}
