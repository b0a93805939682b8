import { cartOf, type Cart, type CartItem, type CartProduct } from './cart.ts';
import type { Paise } from '../money.ts';
import { chargedPrice } from '../catalogue/product.ts';

/** What changed under a cart since it was saved, to be told to the shopper. */
export type CartChange =
  | { kind: 'removed'; name: string }
  | { kind: 'price'; name: string; from: Paise; to: Paise }
  | { kind: 'stock'; name: string; quantity: number };

/**
 * Refreshes saved items from the current catalogue: name, price, offer, images, category, stock; the
 * quantity is capped at stock, a product that is gone is removed (spec section 4).
 */
export function refreshCart(
  cart: Cart,
  catalogue: readonly CartProduct[],
): { cart: Cart; changes: CartChange[] } {
  const current = new Map(catalogue.map((product) => [product.id, product]));
  const changes: CartChange[] = [];
  const items = cart.items.flatMap((item): CartItem[] => {
    const product = current.get(item.id);
    if (!product) {
      changes.push({ kind: 'removed', name: item.name });
      return [];
    }
    const { id, name, category, images, price, offerPrice, stock } = product;
    const quantity = Math.min(Math.max(item.quantity, stock > 0 ? 1 : 0), stock);
    const from = chargedPrice(item);
    const to = chargedPrice(product);
    if (from !== to) changes.push({ kind: 'price', name, from, to });
    if (quantity < item.quantity) changes.push({ kind: 'stock', name, quantity });
    return [{ id, name, category, images: [...images], price, offerPrice, stock, quantity }];
  });
  return { cart: cartOf(items), changes };
}
