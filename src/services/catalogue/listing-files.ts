import { createHash } from 'node:crypto';
import {
  createCardFiles,
  createIndex,
  createSearchFile,
  inIndexOrder,
} from '#domain/catalogue/listing/catalogue-index.ts';
import { isImported } from '#domain/catalogue/listing/facets.ts';
import { sortOrders, type SortOrder } from '#domain/catalogue/listing/listing.ts';
import type { Product } from '#domain/catalogue/product.ts';
import { builtScores } from '#features/reviews/built-reviews.ts';
import { searchAnswers } from '#domain/texts/search-answers.ts';
import { search } from '#settings/search.ts';
import { catalogue } from './built-catalogue.ts';

/** The files of the listing that a page names, without '.json'. */
export interface ListingNames {
  index: string;
  search: string;
  /** The list of the names of the files of cards. */
  cards: string;
}

/** The part of the catalogue that a build computes once and every page shares. */
interface BuiltListing {
  /** The products in the order of the index: by name, those in stock first. */
  products: Product[];
  names: ListingNames;
  /** The orders that this shop offers. */
  orders: readonly SortOrder[];
  /** The files' contents by name, without '.json'. */
  files: ReadonlyMap<string, string>;
}

/**
 * The listing of a catalogue. Each file's name has the hash of its own content, so an edit leaves the other files in the
 * browsers' caches. `scores` are those of products with reviews, by their ids.
 */
export function createListing(
  unsorted: readonly Product[],
  scores: ReadonlyMap<string, number>,
): BuiltListing {
  const products = inIndexOrder(unsorted);
  const files = new Map<string, string>();
  const add = (kind: string, content: unknown): string => {
    const text = JSON.stringify(content);
    const hash = createHash('sha256').update(text).digest('base64url');
    const name = `${kind}.${hash.replaceAll(/[-_]/gu, '').slice(0, 8)}`;
    files.set(name, text);
    return name;
  };
  const index = add('catalogue', createIndex(products, scores));
  const searchName = add('search', createSearchFile(products, search, searchAnswers()));
  const cards = createCardFiles(products).map((file, at) => add(`cards-${String(at)}`, file));
  const orders = sortOrders.filter((order) => {
    if (order === 'reviewed') return products.some(({ id }) => scores.has(id));
    return order !== 'origin' || products.some(({ attributes }) => isImported(attributes));
  });
  const names = { index, search: searchName, cards: add('card-files', cards) };
  return { products, names, orders, files };
}

let built: Promise<BuiltListing> | undefined;

/** The listing of this build. Made once for all pages. */
export function builtListing(): Promise<BuiltListing> {
  built ??= Promise.all([catalogue(), builtScores()]).then(([products, scores]) =>
    createListing(products, scores),
  );
  return built;
}
