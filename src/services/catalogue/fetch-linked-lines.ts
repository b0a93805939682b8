import type { CurrentLine, LinkedLine } from '#domain/cart/linked-lines.ts';
import { fetchCurrentProducts } from './current-catalogue.ts';

/**
 * Looks the lines of a link up in the catalogue of this moment. Lines whose product or size the shop no longer has are left out. Throws
 * when the catalogue cannot be fetched.
 */
export async function fetchLinkedLines(lines: readonly LinkedLine[]): Promise<CurrentLine[]> {
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
