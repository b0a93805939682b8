import { addToCart, cartOf, keyOf, type Cart } from '../../domain/cart/cart.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { newOrderHash } from '../../domain/admin/orders/orders-address.ts';
import { fetchCurrentProducts } from '../../services/catalogue/current-catalogue.ts';
import { hasAdminFlag } from '../../services/admin/session.ts';
import { $cart } from '../../stores/cart.ts';
import { lineText, parseLines, type LinkedLine } from './domain/order-link.ts';

/** A line with what its product is now; null when the shop has no such product or size any more. */
export interface CurrentLine {
  product: Product;
  size?: string;
  stock: number;
  quantity: number;
}

/** Looks the lines of a link up in the catalogue of this moment. @throws when it cannot be fetched. */
export async function fetchLines(lines: readonly LinkedLine[]): Promise<CurrentLine[]> {
  const products = await fetchCurrentProducts([...new Set(lines.map(({ id }) => id))]);
  return lines.flatMap(({ id, size, quantity }): CurrentLine[] => {
    const product = products.find((one) => one.id === id);
    if (!product) return [];
    if (size === undefined)
      return product.sizes.length === 0 ? [{ product, stock: product.stock, quantity }] : [];
    const found = product.sizes.find((one) => one.size === size);
    return found ? [{ product, size, stock: found.stock, quantity }] : [];
  });
}

/** The cart with the lines that it lacks: opening a link twice, or that of one's own cart, changes nothing. */
function withLines(cart: Cart, lines: readonly CurrentLine[]): Cart {
  const keys = new Set(cart.items.map(keyOf));
  return lines
    .filter(({ product, size }) => !keys.has(keyOf({ id: product.id, size })))
    .reduce(
      (filled, { product, size, stock, quantity }) =>
        addToCart(filled, { ...product, size, stock }, quantity),
      cart,
    );
}

/** Whether the admin is logged in here. The flag alone opens nothing, and a customer must not meet a login. */
async function isAdmin(): Promise<boolean> {
  if (!hasAdminFlag()) return false;
  return fetch('/api/admin/session').then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Opens a link's lines: the admin's form of a new order, or for everybody else a cart. False when the link has none. @throws as above. */
export async function openLines(fragment: string): Promise<boolean> {
  const lines = parseLines(fragment);
  if (lines.length === 0) return false;
  if (await isAdmin()) {
    window.location.replace(`/admin${newOrderHash}?${lineText(lines)}`);
    return true;
  }
  const current = await fetchLines(lines);
  $cart.set(cartOf(withLines($cart.get(), current).items));
  window.location.replace('/cart');
  return true;
}
