import fc from 'fast-check';
import {
  createIndex,
  createSearchFile,
  inIndexOrder,
  parseIndex,
  parseSearchFile,
  type IndexedProduct,
  type SearchAnswer,
} from '#domain/catalogue/listing/catalogue-index.ts';
import { runListing, type FacetCounts } from '#domain/catalogue/listing/listing-query.ts';
import { createSearch } from '#domain/catalogue/listing/listing-search.ts';
import { nearestSentence } from '#domain/catalogue/listing/nearest-results.ts';
import {
  inStockValue,
  onOffer,
  priceValues,
  type FacetName,
} from '#domain/catalogue/listing/facets.ts';
import {
  sortOrders,
  wholeCatalogue,
  type ListingFilters,
} from '#domain/catalogue/listing/listing.ts';
import type { SearchSettings } from '#shop-schema/search-schema.ts';
import { categories } from '#domain/catalogue/category.ts';
import type { Product } from '#domain/catalogue/product.ts';

let made = 0;

/** A product with an id of its own. Prices in paise. */
export const product = (changes: Partial<Product> = {}): Product => ({
  id: `product-${String((made += 1))}`,
  name: 'Palakka Ring',
  description: 'Green stone in a gold frame',
  category: 'rings',
  price: 100_000,
  offerPrice: null,
  stock: 5,
  sizes: [],
  images: [],
  imageAlts: [],
  attributes: {},
  createdAt: '2026-01-01T00:00:00+00:00',
  updatedAt: '',
  ...changes,
});

/** The value as it arrives after a transfer as JSON. */
export const transferred = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

interface TestListing {
  /** The products in the order of the index. */
  products: Product[];
  index: IndexedProduct[];
  run: (listing: Partial<ListingFilters>) => {
    found: Product[];
    corrected: string | null;
    /** The sentence above products that match most of the words; null where they match all. */
    nearest: string | null;
    /** What the shop answers besides; null without any. */
    answer: string | null;
    counts: FacetCounts;
  };
  names: (listing: Partial<ListingFilters>) => string[];
}

/** The listing as a browser has it, with its index, search and filters. Without `words` the shop has none of its own. */
export function listingOf(
  given: readonly Product[],
  words: SearchSettings = { synonyms: [] },
  answers: readonly SearchAnswer[] = [],
): TestListing {
  const products = inIndexOrder(given);
  const index = parseIndex(transferred(createIndex(products)));
  const search = createSearch(
    index,
    parseSearchFile(transferred(createSearchFile(products, words, answers))),
  );
  const run: TestListing['run'] = (changes) => {
    const listing = { ...wholeCatalogue, ...changes };
    const { corrected, nearest, answer, ...results } = search(listing.search);
    const { positions, countFacets } = runListing(index, listing, results);
    const found = products.filter((_, position) => positions.includes(position));
    found.sort(
      (a, b) => positions.indexOf(products.indexOf(a)) - positions.indexOf(products.indexOf(b)),
    );
    return {
      found,
      corrected,
      nearest: nearest && nearestSentence(nearest),
      answer: answer?.sentence ?? null,
      counts: countFacets(),
    };
  };
  return {
    products,
    index,
    run,
    names: (listing) => run(listing).found.map(({ name }) => name),
  };
}

const metals = [
  'Gold-plated brass',
  '925 silver',
  'Stainless steel',
  'Bell metal',
  undefined,
] as const;
const stones = ['None', 'Cubic zirconia, freshwater pearl', 'Red kemp glass', undefined] as const;

/** Any product that the database would take. */
export const anyProduct: fc.Arbitrary<Product> = fc
  .record({
    name: fc.oneof(
      fc.constantFrom('Chandrika Jimikki', 'Éclat Ring', 'kasu mala', '“Muthu” \\ Vala'),
      fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
    ),
    description: fc.constantFrom('', 'Light enough to dance in.', 'Bell-shaped, with seed pearls.'),
    category: fc.constantFrom(...categories),
    price: fc.integer({ min: 2, max: 12_000_000 }),
    offer: fc.option(fc.integer({ min: 1, max: 99 })),
    stock: fc.integer({ min: 0, max: 3 }),
    sizes: fc
      .subarray(['12', '14', '2.4'])
      .map((list) => list.map((size, stock) => ({ size, stock }))),
    metal: fc.constantFrom(...metals),
    stone: fc.constantFrom(...stones),
    origin: fc.constantFrom('Kerala, India', 'Made in China', 'Korea', undefined),
    createdAt: fc.constantFrom(
      '2026-01-01T00:00:00Z',
      '2026-01-02T00:00:00.25Z',
      '2025-06-01T10:00:00+05:30',
      '',
    ),
  })
  .map(({ offer, metal, stone, origin, ...rest }) =>
    product({
      ...rest,
      offerPrice: offer === null ? null : Math.max(1, Math.floor((rest.price * offer) / 100)),
      attributes: {
        ...(metal === undefined ? {} : { metal }),
        ...(stone === undefined ? {} : { stone }),
        ...(origin === undefined ? {} : { origin }),
      },
    }),
  );

/** Anything that the shop's form can ask for. */
export const anyListing: fc.Arbitrary<ListingFilters> = fc.record({
  search: fc.constantFrom('', '', 'jimikki', 'mala', 'pearls', 'jimiki', 'e'),
  category: fc.constantFrom('all' as const, 'all' as const, ...categories),
  sort: fc.constantFrom(...sortOrders),
  facets: fc.record({
    offers: fc.subarray([onOffer]),
    size: fc.subarray(['12', '14', '2.4'], { maxLength: 2 }),
    metal: fc.subarray(
      ['Gold-plated', 'Brass', 'Silver', 'Stainless steel', 'Bell metal', 'not there'],
      { maxLength: 2 },
    ),
    stone: fc.subarray(['Cubic zirconia', 'Pearl', 'Kemp'], { maxLength: 2 }),
    origin: fc.subarray(['India', 'China', 'Korea'], { maxLength: 2 }),
    price: fc.subarray(
      priceValues.map(({ value }) => value),
      { maxLength: 3 },
    ),
    stock: fc.subarray([inStockValue]),
  } satisfies Record<FacetName, fc.Arbitrary<string[]>>),
});
