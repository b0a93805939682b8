/* Apart from `sizes.ts`, which every page carries. */

/** Characters of a size in an id of 50, behind 29 digits and a line. */
const maxSizeInSku = 20;

/** Eight hexadecimal digits of a text (FNV-1a, 32 bits). */
function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text))
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

/**
 * The id by which search engines, networks and couriers know a product, or one size of it. Google takes 50 characters: of a product with
 * sizes, 29 of the 32 hexadecimal digits of its id (still unique) and the size. A size of more than 20 letters ends in a digest of it.
 */
export function sku(productId: string, size?: string): string {
  if (size === undefined) return productId;
  const short =
    size.length <= maxSizeInSku ? size : `${size.slice(0, maxSizeInSku - 9)}~${digestOf(size)}`;
  return `${productId.replaceAll('-', '').slice(0, 29)}_${short}`;
}
