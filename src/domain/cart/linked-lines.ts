import { shop } from '#settings/shop.ts';
import type { Product } from '#domain/catalogue/product.ts';
import { maxSizeLength } from '#domain/catalogue/sizes.ts';
import { addToCart, keyOf, type Cart, type CartItem } from './cart.ts';

/*
 * The lines of a cart as a link carries them: ids, sizes and quantities alone, so that the link names nobody. It needs no signature,
 * because all that it does is to put products into the cart of the browser that opens it.
 */

/** A line of a cart as a link carries it. Names and prices are fetched anew where it is opened. */
export type LinkedLine = Pick<CartItem, 'id' | 'size' | 'quantity'>;

/** A line with what its product is now. */
export interface CurrentLine {
  product: Product;
  size?: string;
  stock: number;
  quantity: number;
}

// The id, the quantity, and the size if the product has sizes: 'b1f0….2.14'. A letter of an Indian script is nine characters here.
const linePattern =
  /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([1-9]\d{0,5})(?:\.([^,]{1,480}))?$/u;

/** The lines as the fragment of a link. Lines without a unit, or whose size is still to be chosen, are left out. */
export const lineText = (lines: readonly LinkedLine[]): string =>
  lines
    .filter(({ quantity, size }) => quantity > 0 && size !== '')
    .map(({ id, size, quantity }) =>
      [id, String(quantity), ...(size === undefined ? [] : [encodeURIComponent(size)])].join('.'),
    )
    .join(',');

function parseLine(text: string): LinkedLine | null {
  const [, id, count, encoded] = linePattern.exec(text) ?? [];
  if (id === undefined) return null;
  const quantity = Math.min(Number(count), shop.limits.unitsPerOrder);
  if (encoded === undefined) return { id, quantity };
  try {
    const size = decodeURIComponent(encoded);
    return size.length > maxSizeLength ? null : { id, size, quantity };
  } catch {
    return null;
  }
}

/**
 * Parses the fragment of a link, which anybody can write: known fields alone, at most what one order may hold, each line once. Lines that
 * do not parse are left out.
 */
export function parseLines(text: string): LinkedLine[] {
  const lines = new Map<string, LinkedLine>();
  for (const part of text.split(',', shop.limits.cartLines)) {
    const line = parseLine(part);
    if (line && !lines.has(keyOf(line))) lines.set(keyOf(line), line);
  }
  return [...lines.values()];
}

/** The cart with the lines that it lacks: opening a link twice, or that of one's own cart, changes nothing. */
export function withLines(cart: Cart, lines: readonly CurrentLine[]): Cart {
  const keys = new Set(cart.items.map(keyOf));
  return lines
    .filter(({ product, size }) => !keys.has(keyOf({ id: product.id, size })))
    .reduce(
      (filled, { product, size, stock, quantity }) =>
        addToCart(filled, { ...product, size, stock }, quantity),
      cart,
    );
}
