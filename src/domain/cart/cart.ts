import { shop } from '#settings/shop.ts';
import type { Paise } from '#domain/money.ts';
import { chargedPrice, type Product } from '#domain/catalogue/product.ts';
import { lineKey } from '#domain/catalogue/sizes.ts';
import * as v from '#domain/validate.ts';
import { maxQuantity } from './cart-limits.ts';

/** One line of the cart as stored in the browser. Prices in paise, for one unit. */
export interface CartItem {
  id: string;
  /** Set for a product with sizes; '' is still to be chosen, because the product got its sizes later. */
  size?: string | undefined;
  name: string;
  category: string;
  images: string[];
  price: Paise;
  offerPrice: Paise | null;
  /** Stock of this size, where there are sizes. */
  stock: number;
  quantity: number;
}

/** The key of a line: one product in two sizes is two lines. */
export const keyOf = ({ id, size }: Pick<CartItem, 'id' | 'size'>): string => lineKey(id, size);

/**
 * A stored line. The customer's choice is enough, as another version of the shop may have stored less or otherwise: the cart page reads
 * all else from the catalogue.
 */
const parseItem: v.Validator<CartItem> = v.object({
  id: v.nonEmptyString,
  size: v.withDefault(v.string, undefined),
  name: v.orElse(v.string, ''),
  category: v.orElse(v.string, ''),
  images: v.orElse(v.array(v.string), []),
  price: v.orElse(v.nonNegativeInt, 0),
  offerPrice: v.orElse(v.nonNegativeInt, null),
  stock: v.orElse(v.nonNegativeInt, shop.limits.unitsPerOrder),
  quantity: (value) => v.nonNegativeInt(typeof value === 'string' ? Number(value) : value),
});

/** The cart's state (spec section 3). `total` is what the items cost at offer prices, in paise, without the fee. */
export interface Cart {
  items: readonly CartItem[];
  total: Paise;
  itemCount: number;
}

/** A cart of these items, with its derived figures. */
export function cartOf(items: readonly CartItem[]): Cart {
  return {
    items,
    total: items.reduce((sum, item) => sum + chargedPrice(item) * item.quantity, 0),
    itemCount: items.reduce((sum, item) => sum + item.quantity, 0),
  };
}

export const emptyCart: Cart = cartOf([]);

/** A product to put in, in the size that was chosen; `stock` is that size's. */
export type CartProduct = Pick<CartItem, 'size'> &
  Pick<Product, 'id' | 'name' | 'category' | 'images' | 'price' | 'offerPrice' | 'stock'>;

/**
 * Adds a product: one more of it, or `quantity` more (rounded down, one at least), never above its stock or what one order may hold. A
 * product with no stock stays, at quantity 0 (spec section 4); the summary and checkout leave such lines out.
 */
export function addToCart(cart: Cart, product: CartProduct, quantity = 1): Cart {
  const { id, size, name, category, images, price, offerPrice, stock } = product;
  // A line whose size was still to be chosen becomes this one.
  const before =
    cart.items.find((item) => keyOf(item) === keyOf(product)) ??
    cart.items.find((item) => item.id === id && item.size === '');
  if (!before && cart.items.length >= shop.limits.cartLines) return cart;
  const added = quantity >= 1 ? Math.floor(quantity) : 1;
  const line: CartItem = {
    id,
    size,
    name,
    category,
    images: [...images],
    price,
    offerPrice,
    stock,
    quantity: Math.min((before?.quantity ?? 0) + added, maxQuantity(stock)),
  };
  return cartOf(
    before ? cart.items.map((item) => (item === before ? line : item)) : [...cart.items, line],
  );
}

/**
 * Reads a cart from storage text. Lines that do not parse are left out, foreign or broken text gives an
 * empty cart, quantities above the limits are capped, and a line appears once.
 */
export function parseCart(text: string): Cart {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return emptyCart;
  }
  if (!Array.isArray(raw)) return emptyCart;
  const items = new Map<string, CartItem>();
  for (const entry of raw) {
    try {
      const item = parseItem(entry);
      if (!items.has(keyOf(item)))
        items.set(keyOf(item), {
          ...item,
          quantity: Math.min(item.quantity, maxQuantity(item.stock)),
        });
    } catch {
      // Skip this line and keep the others.
    }
  }
  return cartOf([...items.values()].slice(0, shop.limits.cartLines));
}
