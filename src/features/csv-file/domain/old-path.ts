/** A path as it is stored: decoded, at most 500 characters, without spaces, control characters, query and fragment. */
export const oldPathForm = /^\/[^\s\p{Cc}?#]{1,499}$/u;

/** A product's path in the shop that it comes from, as it is stored and looked up; null for what cannot be the path of a page. */
export function oldPathOf(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path).replace(/\/+$/u, '');
    return oldPathForm.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}

/**
 * The forms in which an opened path may be stored, the likeliest first. The files of Shopify and WooCommerce have a product's name alone,
 * and those shops have it at several addresses: below a collection, a language, or the base that WooCommerce's settings give.
 */
export function storedFormsOf(path: string): string[] {
  const name = (path.split('/').at(-1) ?? '').toLowerCase();
  const isAlone = path === `/${name}`;
  return [...new Set([path, ...(isAlone ? [] : [`/products/${name}`, `/product/${name}`])])];
}
