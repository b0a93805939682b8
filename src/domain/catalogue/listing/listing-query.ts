import type { IndexedProduct } from './catalogue-index.ts';
import { facetNames, inStockValue, onOffer, priceValuesOf, type FacetName } from './facets.ts';
import type { SearchResult } from './listing-search.ts';
import type { ListingFilters, SortOrder } from './listing.ts';
import { chargedPrice } from '#domain/catalogue/product.ts';

/** The values of each facet, and how many products each would show if it were the only one chosen of its facet. */
export type FacetCounts = Record<FacetName, ReadonlyMap<string, number>>;

export interface ListingResult {
  /** Positions of the matching products in the index, sorted. */
  positions: number[];
  /** Counts on demand, because only an open dialog shows them. Values that would show nothing are left out. */
  countFacets: () => FacetCounts;
}

/** What a search found, by positions in the index. */
export type FoundProducts = Pick<SearchResult, 'rankOf' | 'lacksSize'>;

const valuesOf: Readonly<Record<FacetName, (product: IndexedProduct) => readonly string[]>> = {
  offers: ({ offerPrice }) => (offerPrice === null ? [] : [onOffer]),
  size: ({ sizes }) => sizes,
  metal: ({ metals }) => metals,
  stone: ({ stones }) => stones,
  origin: ({ origin }) => (origin === '' ? [] : [origin]),
  price: (product) => priceValuesOf(chargedPrice(product)),
  stock: ({ inStock }) => (inStock ? [inStockValue] : []),
};

const sortKeys: Readonly<
  Record<Exclude<SortOrder, 'name' | 'origin'>, (product: IndexedProduct) => number>
> = {
  'price-low': chargedPrice,
  'price-high': (product) => -chargedPrice(product),
  latest: ({ age }) => age,
  reviewed: ({ score }) => -score,
};

/** Whether a product has one of the chosen values of each of these facets. */
const matches = (
  product: IndexedProduct,
  { facets }: ListingFilters,
  names: readonly FacetName[],
): boolean =>
  names.every((name) => valuesOf[name](product).some((value) => facets[name].includes(value)));

/** Finds every product alike. */
const everyProduct: FoundProducts = { rankOf: () => 0, lacksSize: () => false };

/**
 * Filters and sorts the index. What cannot be bought in the size that is searched for comes last, as sold-out products do. Sorted by
 * name, the best results of a search come first; every other order is kept as it was chosen.
 */
export function runListing(
  products: readonly IndexedProduct[],
  listing: ListingFilters,
  { rankOf, lacksSize }: FoundProducts = everyProduct,
): ListingResult {
  const { category, sort } = listing;
  const found = [...products.entries()].filter(
    ([position, product]) =>
      (category === 'all' || product.category === category) && rankOf(position) !== null,
  );
  const chosen = facetNames.filter((name) => listing.facets[name].length > 0);
  const shown = found.filter(([, product]) => matches(product, listing, chosen));
  // The index is sorted by name and sorting is stable, so equal products stay in that order.
  const isAvailable = (position: number, { inStock }: IndexedProduct): boolean =>
    inStock && !lacksSize(position);
  // Countries are sorted by name; products without one come last.
  const countries =
    sort === 'origin'
      ? [...new Set(products.map(({ origin }) => origin || '\u{ffff}'))].sort()
      : [];
  const keyOf = (position: number, product: IndexedProduct): number => {
    if (sort === 'name') return rankOf(position) ?? 0;
    return sort === 'origin'
      ? countries.indexOf(product.origin || '\u{ffff}')
      : sortKeys[sort](product);
  };
  shown.sort(
    ([a, one], [b, other]) =>
      Number(isAvailable(b, other)) - Number(isAvailable(a, one)) ||
      keyOf(a, one) - keyOf(b, other),
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
    countFacets: () =>
      Object.fromEntries(facetNames.map((name) => [name, count(name)])) as FacetCounts,
  };
}
