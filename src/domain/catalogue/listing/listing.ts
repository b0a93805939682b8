import type { Category } from '#domain/catalogue/category.ts';
import { chargedPrice } from '#domain/catalogue/product.ts';
import type { FacetName } from './facets.ts';
import type { Paise } from '#domain/money.ts';

/** The orders of every shop. */
export const usualOrders = ['name', 'price-low', 'price-high', 'latest'] as const;
/** All orders, with those that only a shop with reviews, or with imported products, offers. */
export const sortOrders = [...usualOrders, 'reviewed', 'origin'] as const;
export type SortOrder = (typeof sortOrders)[number];

export const sortLabels: Readonly<Record<SortOrder, string>> = {
  name: 'Name A-Z',
  'price-low': 'Price Low to High',
  'price-high': 'Price High to Low',
  latest: 'Latest',
  reviewed: 'Best reviewed',
  origin: 'Country of origin',
};

/** Products in one page of the listing, and how many cards are added at a time: full rows of 2, 3 and 4. */
export const productsPerPage = 24;

/** The filters and order of the listing. A facet without chosen values filters nothing; of several values, one must match. */
export interface ListingFilters {
  search: string;
  /** `all` for no filter. */
  category: Category;
  sort: SortOrder;
  facets: Readonly<Record<FacetName, readonly string[]>>;
}

/** The whole catalogue, as /shop opens. */
export const wholeCatalogue: ListingFilters = {
  search: '',
  category: 'all',
  sort: 'name',
  facets: { offers: [], price: [], size: [], metal: [], stone: [], origin: [], stock: [] },
};

/** The sort orders of the listing. */
interface Sortable {
  name: string;
  price: Paise;
  offerPrice: Paise | null;
  stock: number;
  createdAt: string;
}

// Created on first use, so that pages that never sort do not pay for it.
let names: Intl.Collator | undefined;
function byName(a: string, b: string): number {
  names ??= new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  return names.compare(a, b);
}

/** Milliseconds; as text, '…00.5' and '…00+05:30' would sort wrongly. Unreadable dates are the oldest. */
const timeOf = (product: Sortable): number => Date.parse(product.createdAt) || 0;

const comparisons: Readonly<
  Record<(typeof usualOrders)[number], (a: Sortable, b: Sortable) => number>
> = {
  name: () => 0,
  'price-low': (a, b) => chargedPrice(a) - chargedPrice(b),
  'price-high': (a, b) => chargedPrice(b) - chargedPrice(a),
  latest: (a, b) => timeOf(b) - timeOf(a),
};

/** A sorted copy. Sold-out products come last in every order; equal products go by name. */
export function sortListed<T extends Sortable>(
  products: readonly T[],
  sort: keyof typeof comparisons,
): T[] {
  return [...products].sort(
    (a, b) =>
      Number(a.stock <= 0) - Number(b.stock <= 0) ||
      comparisons[sort](a, b) ||
      byName(a.name, b.name),
  );
}
