import * as v from '../validate.ts';

/** A size of a product with its own stock, in units. */
export interface ProductSize {
  size: string;
  stock: number;
}

/** The most that the admin can give to a product. */
export const maxSizes = 24;

/** The key of a line of a cart or an order: a product, or a size of it. SQL makes the same in `private.line_key`. */
export const lineKey = (productId: string, size?: string): string =>
  size === undefined ? productId : `${productId}:${size}`;

/**
 * The id by which search engines, networks and couriers know a product, or one size of it. Google takes 50 characters: of a product with
 * sizes, 29 of the 32 hexadecimal digits of its id (still unique) and the size, which has 20 at most.
 */
export const sku = (productId: string, size?: string): string =>
  size === undefined ? productId : `${productId.replaceAll('-', '').slice(0, 29)}_${size}`;

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
