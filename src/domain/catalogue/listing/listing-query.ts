import type { IndexedProduct } from './catalogue-index.ts';
import { facetNames, inStockValue, priceRangeOf, priceRanges, type FacetName } from './facets.ts';
import type { ListingFilters, SortOrder } from './listing.ts';
import { chargedPrice } from '../product.ts';

/** For each facet its values, and how many products each would show if it were the only one chosen of its facet. */
export type FacetCounts = Record<FacetName, ReadonlyMap<string, number>>;

export interface ListingResult {
  /** Positions of the matching products in the index, sorted. */
  positions: number[];
  /** Counts on demand, because only an open dialog shows them. Values that would show nothing are left out. */
  countFacets: () => FacetCounts;
}

const valuesOf: Readonly<Record<FacetName, (product: IndexedProduct) => readonly string[]>> = {
  metal: ({ metals }) => metals,
  stone: ({ stones }) => stones,
  price: (product) => [priceRanges[priceRangeOf(chargedPrice(product))]?.value ?? ''],
  stock: ({ inStock }) => (inStock ? [inStockValue] : []),
};

const sortKeys: Readonly<Record<SortOrder, (product: IndexedProduct) => number>> = {
  name: () => 0,
  'price-low': chargedPrice,
  'price-high': (product) => -chargedPrice(product),
  latest: ({ age }) => age,
};

/** Whether a product has one of the chosen values of each of these facets. */
const matches = (
  product: IndexedProduct,
  { facets }: ListingFilters,
  names: readonly FacetName[],
): boolean =>
  names.every((name) => valuesOf[name](product).some((value) => facets[name].includes(value)));

/** Filters and sorts the index. Search results come in as `isFound`. */
export function runListing(
  products: readonly IndexedProduct[],
  listing: ListingFilters,
  isFound: (position: number) => boolean = () => true,
): ListingResult {
  const { category, sort } = listing;
  const found = [...products.entries()].filter(
    ([position, product]) =>
      (category === 'all' || product.category === category) && isFound(position),
  );
  const chosen = facetNames.filter((name) => listing.facets[name].length > 0);
  const shown = found.filter(([, product]) => matches(product, listing, chosen));
  // The index is sorted by name and sorting is stable, so equal products stay in that order.
  if (sort !== 'name')
    shown.sort(
      ([, a], [, b]) =>
        Number(b.inStock) - Number(a.inStock) || sortKeys[sort](a) - sortKeys[sort](b),
    );

  const count = (name: FacetName): ReadonlyMap<string, number> => {
    const others = chosen.filter((other) => other !== name);
    const counts = new Map<string, number>();
    for (const [, product] of found) {
      if (!matches(product, listing, others)) continue;
      for (const value of valuesOf[name](product)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return counts;
  };
  return {
    positions: shown.map(([position]) => position),
    countFacets: () => ({
      metal: count('metal'),
      stone: count('stone'),
      price: count('price'),
      stock: count('stock'),
    }),
  };
}
