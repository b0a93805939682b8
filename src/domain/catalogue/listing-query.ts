import type { Columns, LabelSets } from './catalogue-index.ts';
import { facetNames, inStockValue, priceRangeOf, priceRanges, type FacetName } from './facets.ts';
import type { Listing, SortOrder } from './listing.ts';
import { openSearch, type Search } from './listing-search.ts';
import { categories } from './product.ts';

/** A value of a facet, and how many products there would be if it were the only one chosen of its facet. */
export interface FacetValue {
  value: string;
  label: string;
  count: number;
}

export interface ListingResult {
  /** Positions of the products that fit, in the order asked for. */
  positions: number[];
  /** Values that would leave something, the others are left out. */
  facets: Record<FacetName, FacetValue[]>;
  corrected: string | null;
}

/** A facet over the catalogue: its values, and for each product which of them it has. */
interface Facet {
  name: FacetName;
  values: readonly { value: string; label: string }[];
  valuesOf: (position: number) => readonly number[];
}

/** The listing over an index. Everything it answers takes one pass over the products. */
export interface ListingQuery {
  search: Search;
  /** Takes in how many products are newer than each, which the order 'latest' goes by. */
  addAges: (ages: readonly number[]) => void;
  run: (listing: Listing) => ListingResult;
}

const labelFacet = (name: FacetName, { labels, products }: LabelSets): Facet => ({
  name,
  values: labels.map((label) => ({ value: label, label })),
  valuesOf: (position) => products[position] ?? [],
});

function facetsOf(columns: Columns): Facet[] {
  const ranges = columns.charged.map((charged) => [priceRangeOf(charged)]);
  const [yes, no]: [number[], number[]] = [[0], []];
  return [
    labelFacet('metal', columns.metals),
    labelFacet('stone', columns.stones),
    { name: 'price', values: priceRanges, valuesOf: (position) => ranges[position] ?? no },
    { name: 'stock', values: [{ value: inStockValue, label: inStockValue }], valuesOf: (position) => (position < columns.available ? yes : no) },
  ];
}

function orderBy(columns: Columns, sort: SortOrder, ages: readonly number[]): Uint32Array {
  const { charged, available } = columns;
  const order = Uint32Array.from({ length: columns.count }, (_, position) => position);
  if (sort === 'name') return order;
  const keys = sort === 'latest' ? ages : charged;
  const sign = sort === 'price-high' ? -1 : 1;
  // By name among equals, which is by position.
  const compare = (a: number, b: number): number => sign * ((keys[a] ?? 0) - (keys[b] ?? 0)) || a - b;
  order.subarray(0, available).sort(compare);
  order.subarray(available).sort(compare);
  return order;
}

export function openListing(columns: Columns): ListingQuery {
  const search = openSearch(columns);
  const facets = facetsOf(columns);
  const orders = new Map<SortOrder, Uint32Array>();
  let ages: readonly number[] = [];

  function run(listing: Listing): ListingResult {
    const { found, corrected } = search.run(listing.search);
    const category = listing.category === 'all' ? -1 : categories.indexOf(listing.category);
    const order = orders.get(listing.sort) ?? orderBy(columns, listing.sort, ages);
    orders.set(listing.sort, order);
    const chosen = facets.map(({ name, values }) => {
      const wanted = listing.facets[name];
      return wanted.length === 0 ? null : Uint8Array.from(values, ({ value }) => Number(wanted.includes(value)));
    });
    const counts = facets.map(({ values }) => new Uint32Array(values.length));
    const positions: number[] = [];
    for (const position of order) {
      if (found?.[position] === 0 || (category >= 0 && columns.categories[position] !== category)) continue;
      // Facets that it does not fit: none and it is shown; one, and it counts for that facet's other values.
      let misses = 0;
      let missed = -1;
      for (const [at, flags] of chosen.entries()) {
        if (flags === null || facets[at]?.valuesOf(position).some((value) => flags[value] === 1)) continue;
        misses += 1;
        missed = at;
      }
      if (misses > 1) continue;
      if (misses === 0) positions.push(position);
      for (const [at, facet] of facets.entries()) {
        const tally = counts[at];
        if (tally && (misses === 0 || at === missed)) for (const value of facet.valuesOf(position)) tally[value] = (tally[value] ?? 0) + 1;
      }
    }
    const named = facets.map(({ name, values }, at) => [
      name,
      values.map((value, index) => ({ ...value, count: counts[at]?.[index] ?? 0 })).filter(({ count }) => count > 0),
    ]);
    return { positions, corrected, facets: { metal: [], stone: [], price: [], stock: [], ...Object.fromEntries(named) } };
  }
  return {
    search,
    run,
    addAges(added) {
      ages = added;
      orders.delete('latest');
    },
  };
}

/** The facets with a chosen value. */
export const chosenFacets = ({ facets }: Listing): [name: FacetName, value: string][] =>
  facetNames.flatMap((name) => facets[name].map((value): [FacetName, string] => [name, value]));
