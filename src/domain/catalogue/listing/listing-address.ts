import { facetNames, onOffer } from './facets.ts';
import { sortOrders, wholeCatalogue, type ListingFilters } from './listing.ts';
import { categories, type Category } from '#domain/catalogue/category.ts';

/** The parsed URL of the listing. `page` is the built page that the list begins with, from 1. */
export interface ListingAddress {
  listing: ListingFilters;
  view: 'grid' | 'list';
  page: number;
}

const pathPattern = /^\/shop(?:\/(?!page\/)(?<category>[\w-]+))?(?:\/page\/(?<page>\d+))?$/u;

const categoryNamed = (name: string | null | undefined): Category | undefined =>
  categories.find((known) => known === name?.toLowerCase());

/** The path of a page that is built: /shop, /shop/rings, /shop/page/2, /shop/rings/page/2. */
export function builtPagePath(category: Category, page: number): string {
  return `/shop${category === 'all' ? '' : `/${category}`}${page > 1 ? `/page/${String(page)}` : ''}`;
}

/** Reads path and query. Ignores what is unknown or malformed. */
export function readListingAddress({
  pathname,
  search,
}: Pick<URL, 'pathname' | 'search'>): ListingAddress {
  const path = pathPattern.exec(pathname)?.groups;
  const query = new URLSearchParams(search);
  const page = Number(path?.['page'] ?? 1);
  return {
    listing: {
      search: query.get('q') ?? query.get('search') ?? '',
      category: categoryNamed(query.get('category')) ?? categoryNamed(path?.['category']) ?? 'all',
      sort: sortOrders.find((order) => order === query.get('sort')) ?? 'name',
      facets: {
        ...wholeCatalogue.facets,
        ...Object.fromEntries(facetNames.map((name) => [name, [...new Set(query.getAll(name))]])),
        // /shop?offers, as people write it.
        offers: query.has('offers') ? [onOffer] : [],
      },
    },
    view: query.get('view') === 'list' ? 'list' : 'grid',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** Whether a built page shows exactly these products in this order. */
export function isBuiltPage({ search, sort, facets }: ListingFilters): boolean {
  return (
    search.trim() === '' && sort === 'name' && facetNames.every((name) => facets[name].length === 0)
  );
}

/** The shortest URL for these filters. A category alone is `?category=` (spec section 2). */
export function listingAddress({ listing, view, page }: ListingAddress): string {
  const { category, sort, facets } = listing;
  const built = isBuiltPage(listing) && page > 1;
  const query = new URLSearchParams();
  if (listing.search.trim() !== '') query.set('q', listing.search.trim());
  if (category !== 'all' && !built) query.set('category', category);
  if (sort !== 'name') query.set('sort', sort);
  for (const name of facetNames) for (const value of facets[name]) query.append(name, value);
  if (view === 'list') query.set('view', 'list');
  const text = query.toString();
  return (built ? builtPagePath(category, page) : '/shop') + (text === '' ? '' : `?${text}`);
}
