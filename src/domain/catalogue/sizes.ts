import * as v from '#domain/validate.ts';

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
