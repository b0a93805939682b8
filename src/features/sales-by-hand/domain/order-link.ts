import { shop } from '../../../settings/shop.ts';
import { keyOf, type CartItem } from '../../../domain/cart/cart.ts';

/** A line of a cart as a link carries it. Names and prices are fetched anew where it is opened. */
export type LinkedLine = Pick<CartItem, 'id' | 'size' | 'quantity'>;

// The id, the quantity, and the size if the product has sizes: 'b1f0….2.14'.
const linePattern =
  /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([1-9]\d{0,5})(?:\.([^.,][^,]{0,80}))?$/u;

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
    return size.length > 20 ? null : { id, size, quantity };
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

/** The page that opens these lines: in the admin's form of a new order, or in a cart. */
export const orderLinkPath = (lines: readonly LinkedLine[]): string => `/order#${lineText(lines)}`;
