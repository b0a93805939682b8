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
  corrected: string | null;
  /** Values that would leave something, the others are left out. Counted when it is asked for: only an open dialog shows it. */
  countFacets: () => Record<FacetName, FacetValue[]>;
}

/** A facet over the catalogue: its values, the sets of them that there are, and which set each product has. */
interface Facet {
  name: FacetName;
  values: readonly { value: string; label: string }[];
  sets: readonly (readonly number[])[];
  setOf: Uint16Array;
}

/** The listing over an index. A result takes one pass over the products, and its facets another. */
export interface ListingQuery {
  search: Search;
  /** Takes in how many products are newer than each, which the order 'latest' goes by. */
  addAges: (ages: readonly number[]) => void;
  run: (listing: Listing) => ListingResult;
}

const labelFacet = (name: FacetName, { labels, sets, products }: LabelSets): Facet => ({
  ...{ name, sets, setOf: products },
  values: labels.map((label) => ({ value: label, label })),
});

function facetsOf(columns: Columns): Facet[] {
  const { charged, available, metals, stones } = columns;
  return [
    labelFacet('metal', metals),
    labelFacet('stone', stones),
    {
      name: 'price',
      values: priceRanges,
      sets: priceRanges.map((_, index) => [index]),
      setOf: Uint16Array.from(charged, priceRangeOf),
    },
    {
      ...{ name: 'stock', values: [{ value: inStockValue, label: inStockValue }], sets: [[0], []] },
      setOf: Uint16Array.from(charged, (_, position) => Number(position >= available)),
    },
  ];
}

function orderBy(columns: Columns, sort: SortOrder, ages: readonly number[]): Uint32Array {
  const { charged, available } = columns;
  const order = Uint32Array.from({ length: columns.count }, (_, position) => position);
  if (sort === 'name') return order;
  const keys = sort === 'latest' ? ages : charged;
  const sign = sort === 'price-high' ? -1 : 1;
  // By name among equals, which is by position.
  const compare = (a: number, b: number): number =>
    sign * ((keys[a] ?? 0) - (keys[b] ?? 0)) || a - b;
  order.subarray(0, available).sort(compare);
  order.subarray(available).sort(compare);
  return order;
}

/** For each set of a facet's values whether the listing lets it pass: 1 or 0. */
const passesOf = ({ name, values, sets }: Facet, listing: Listing): Uint8Array => {
  const wanted = listing.facets[name];
  return Uint8Array.from(sets, (set) =>
    Number(wanted.length === 0 || set.some((at) => wanted.includes(values[at]?.value ?? ''))),
  );
};

/** Counts, for each facet and of the products in `order`, those that would be shown with each value if no other of its facet were chosen. */
function countFacets(
  facets: readonly Facet[],
  order: Iterable<number>,
  listing: Listing,
): Record<FacetName, FacetValue[]> {
  const passes = facets.map((facet) => passesOf(facet, listing));
  const tallies = facets.map(({ sets }) => new Uint32Array(sets.length));
  const count = (at: number, position: number): void => {
    const [tally, set] = [tallies[at], facets[at]?.setOf[position] ?? 0];
    if (tally) tally[set] = (tally[set] ?? 0) + 1;
  };
  for (const position of order) {
    let misses = 0;
    let missed = 0;
    for (let at = 0; at < facets.length; at += 1) {
      if (passes[at]?.[facets[at]?.setOf[position] ?? 0] === 1) continue;
      misses += 1;
      missed = at;
    }
    if (misses === 1) count(missed, position);
    else if (misses === 0) for (let at = 0; at < facets.length; at += 1) count(at, position);
  }
  const counted: Record<FacetName, FacetValue[]> = { metal: [], stone: [], price: [], stock: [] };
  for (const [at, { name, values, sets }] of facets.entries()) {
    const counts = values.map(() => 0);
    for (const [set, tally] of (tallies[at] ?? new Uint32Array()).entries())
      for (const value of sets[set] ?? []) counts[value] = (counts[value] ?? 0) + tally;
    counted[name] = values
      .map((value, index) => ({ ...value, count: counts[index] ?? 0 }))
      .filter((value) => value.count > 0);
  }
  return counted;
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
    const all = found === null && category < 0;
    const fitting = all
      ? order
      : order.filter(
          (position) =>
            found?.[position] !== 0 && (category < 0 || columns.categories[position] === category),
        );
    let shown = fitting;
    for (const facet of facets) {
      if (listing.facets[facet.name].length === 0) continue;
      const passes = passesOf(facet, listing);
      shown = shown.filter((position) => passes[facet.setOf[position] ?? 0] === 1);
    }
    return {
      positions: [...shown],
      corrected,
      countFacets: () => countFacets(facets, fitting, listing),
    };
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
