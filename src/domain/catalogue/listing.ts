import { chargedPrice, type Category } from './product.ts';
import type { Paise } from '../money.ts';

export const sortOrders = ['name', 'price-low', 'price-high', 'latest'] as const;
export type SortOrder = (typeof sortOrders)[number];

export const sortLabels: Readonly<Record<SortOrder, string>> = {
  name: 'Name A-Z',
  'price-low': 'Price Low to High',
  'price-high': 'Price High to Low',
  latest: 'Latest',
};

/** What search, filter and sort need of a product. */
export interface Listed {
  name: string;
  description: string;
  category: string;
  price: Paise;
  offerPrice: Paise | null;
  stock: number;
  createdAt: string;
}

export interface Listing {
  search: string;
  category: Category | 'all';
  sort: SortOrder;
}

/** Whether a product is shown: the search text in name, description or category, any case (spec section 2). */
export function matchesListing(product: Listed, listing: Pick<Listing, 'search' | 'category'>): boolean {
  if (listing.category !== 'all' && product.category !== listing.category) return false;
  const needle = listing.search.trim().toLowerCase();
  if (needle === '') return true;
  return [product.name, product.description, product.category].some((text) => text.toLowerCase().includes(needle));
}

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare;

/** Milliseconds; as text, '…00.5' and '…00+05:30' would sort wrongly. Unreadable dates are the oldest. */
const timeOf = (product: Listed): number => Date.parse(product.createdAt) || 0;

const comparisons: Readonly<Record<SortOrder, (a: Listed, b: Listed) => number>> = {
  name: (a, b) => byName(a.name, b.name),
  'price-low': (a, b) => chargedPrice(a) - chargedPrice(b),
  'price-high': (a, b) => chargedPrice(b) - chargedPrice(a),
  latest: (a, b) => timeOf(b) - timeOf(a),
};

/** A sorted copy. Sold-out products come last in every order; equal products go by name. */
export function sortListed<T extends Listed>(products: readonly T[], sort: SortOrder): T[] {
  return products.toSorted(
    (a, b) =>
      Number(a.stock <= 0) - Number(b.stock <= 0) || comparisons[sort](a, b) || byName(a.name, b.name),
  );
}
