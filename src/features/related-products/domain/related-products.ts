import { chargedPrice, type Product } from '#domain/catalogue/product.ts';

/** The products in stock nearest to a price in a list that is sorted by price, up to `count`. */
function nearest(sorted: readonly Product[], product: Product, count: number): Product[] {
  const price = chargedPrice(product);
  let [from, end] = [0, sorted.length];
  while (from < end) {
    const middle = (from + end) >> 1;
    const other = sorted[middle];
    if (other && chargedPrice(other) < price) from = middle + 1;
    else end = middle;
  }
  const found: Product[] = [];
  let [below, above] = [from - 1, from];
  while (found.length < count && (below >= 0 || above < sorted.length)) {
    const [lower, higher] = [sorted[below], sorted[above]];
    const takeLower =
      lower !== undefined &&
      (higher === undefined || price - chargedPrice(lower) < chargedPrice(higher) - price);
    const next = takeLower ? lower : higher;
    if (takeLower) below -= 1;
    else above += 1;
    if (next && next.id !== product.id) found.push(next);
  }
  return found;
}

/**
 * Finds the related products of a product: in stock, same category first, nearest in price. Sorts the catalogue once;
 * each answer then takes a few steps, however large the catalogue is.
 */
export function relatedProducts(
  products: readonly Product[],
): (product: Product, count: number) => Product[] {
  const all = products
    .filter(({ stock }) => stock > 0)
    .sort((a, b) => chargedPrice(a) - chargedPrice(b));
  const byCategory = Map.groupBy(all, ({ category }) => category);
  return (product, count) => {
    const same = nearest(byCategory.get(product.category) ?? [], product, count);
    if (same.length === count) return same;
    const others = nearest(all, product, count + same.length).filter(
      ({ category }) => category !== product.category,
    );
    return [...same, ...others].slice(0, count);
  };
}
