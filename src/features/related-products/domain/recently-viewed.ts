import type { Paise } from '#domain/money.ts';
import * as v from '#domain/validate.ts';

/** A product whose page was opened on this device, with what a small card of it needs. Prices in paise. */
export interface RecentlyViewedProduct {
  id: string;
  name: string;
  /** Its first image entry; empty without one. */
  image: string;
  price: Paise;
  offerPrice: Paise | null;
}

/** The current product and four others. */
const maxProducts = 5;

const parseProduct: v.Validator<RecentlyViewedProduct> = v.object({
  id: v.nonEmptyString,
  name: v.nonEmptyString,
  image: v.string,
  price: v.nonNegativeInt,
  offerPrice: v.withDefault(v.nonNegativeInt, null),
});

/** Reads the products from storage text, newest first. What does not parse is left out. */
export function parseRecentlyViewed(text: string | undefined): RecentlyViewedProduct[] {
  try {
    const entries: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(entries)) return [];
    const products = new Map<string, RecentlyViewedProduct>();
    for (const entry of entries) {
      try {
        const product = parseProduct(entry);
        if (!products.has(product.id)) products.set(product.id, product);
      } catch {
        // Skip this one.
      }
    }
    return [...products.values()].slice(0, maxProducts);
  } catch {
    return [];
  }
}

/** The list with a product put first, as it is now. */
export function addRecentlyViewed(
  products: readonly RecentlyViewedProduct[],
  product: RecentlyViewedProduct,
): RecentlyViewedProduct[] {
  return [product, ...products.filter(({ id }) => id !== product.id)].slice(0, maxProducts);
}

/** Up to four products viewed before the one that is open now. */
export function recentlyViewedExcept(
  products: readonly RecentlyViewedProduct[],
  id: string | undefined,
): RecentlyViewedProduct[] {
  return products.filter((product) => product.id !== id).slice(0, maxProducts - 1);
}
