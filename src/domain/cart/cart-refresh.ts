import { maxQuantity } from './cart-limits.ts';
import { cartOf, keyOf, type Cart, type CartItem, type CartProduct } from './cart.ts';
import type { Paise } from '#domain/money.ts';
import { chargedPrice } from '#domain/catalogue/product.ts';
import { sizedName, type ProductSize } from '#domain/catalogue/sizes.ts';

/**
 * Changes in a saved cart, for the customer. 'size': the product has sizes now, and the customer must choose one. 'units': one order may
 * hold no more of it.
 */
export type CartChange =
  | { kind: 'removed'; name: string }
  | { kind: 'size'; name: string }
  | { kind: 'units'; name: string }
  | { kind: 'price'; name: string; from: Paise; to: Paise }
  | { kind: 'stock'; name: string; quantity: number };

type Current = CartProduct & { sizes?: readonly ProductSize[] };

/** The size that a line has now, and its stock: none of one that is to be chosen, or that the product has not. */
function sizeNow(
  { size }: CartItem,
  { sizes = [], stock }: Current,
): Pick<CartItem, 'size' | 'stock'> {
  if (sizes.length === 0)
    return size === undefined || size === '' ? { size: undefined, stock } : { size, stock: 0 };
  return { size: size ?? '', stock: sizes.find((one) => one.size === size)?.stock ?? 0 };
}

/**
 * Refreshes saved items from the current catalogue: name, price, offer, images, category, stock; the
 * quantity is capped at the limits of a line, a product that is gone is removed (spec section 4).
 */
export function refreshCart(
  cart: Cart,
  catalogue: readonly Current[],
): { cart: Cart; changes: CartChange[] } {
  const current = new Map(catalogue.map((product) => [product.id, product]));
  const changes: CartChange[] = [];
  const items = cart.items.flatMap((item): CartItem[] => {
    const product = current.get(item.id);
    if (!product) {
      changes.push({ kind: 'removed', name: sizedName(item.name || 'A piece', item.size) });
      return [];
    }
    const { id, category, images, price, offerPrice } = product;
    const { size, stock } = sizeNow(item, product);
    const name = sizedName(product.name, size);
    const quantity = Math.min(Math.max(item.quantity, stock > 0 ? 1 : 0), maxQuantity(stock));
    const from = chargedPrice(item);
    const to = chargedPrice(product);
    // A line that was stored without a price has 0.
    if (from !== to && from !== 0) changes.push({ kind: 'price', name, from, to });
    if (quantity < item.quantity)
      changes.push(
        size === ''
          ? { kind: 'size', name }
          : quantity < stock
            ? { kind: 'units', name }
            : { kind: 'stock', name, quantity },
      );
    return [
      {
        id,
        size,
        name: product.name,
        category,
        images: [...images],
        price,
        offerPrice,
        stock,
        quantity,
      },
    ];
  });
  // A line without a size and one whose size is to be chosen may have become the same.
  return { cart: cartOf([...new Map(items.map((item) => [keyOf(item), item])).values()]), changes };
}
