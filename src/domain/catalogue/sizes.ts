import * as v from '../validate.ts';

/** A size of a product with its own stock, in units. */
export interface ProductSize {
  size: string;
  stock: number;
}

/** The most that the admin can give to a product: as many variants as most shops' exports have (Shopify's limit was 100 until 2025). */
export const maxSizes = 100;
/** Letters of a size. SQL has the same in `private.are_sizes`. */
export const maxSizeLength = 40;

/** The key of a line of a cart or an order: a product, or a size of it. SQL makes the same in `private.line_key`. */
export const lineKey = (productId: string, size?: string): string =>
  size === undefined ? productId : `${productId}:${size}`;

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

/**
 * 'Temple Ring · Size 14', as orders, documents and mails have it; the name alone without a size. SQL makes the same in
 * `private.sized_name`.
 */
export const sizedName = (name: string, size?: string): string =>
  size === undefined || size === '' ? name : `${name} · Size ${size}`;

/** The name of an order's line without its size, which then stands on a line of its own. */
export function unsizedName(name: string, size?: string): string {
  const suffix = sizedName('', size);
  return name.endsWith(suffix) ? name.slice(0, name.length - suffix.length) : name;
}

export const parseSizes: v.Validator<ProductSize[]> = v.array(
  v.object({ size: v.nonEmptyString, stock: v.nonNegativeInt }),
);
