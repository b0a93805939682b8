import type { SearchSettings } from '#shop-schema/search-schema.ts';
import type { Paise } from '#domain/money.ts';
import * as v from '#domain/validate.ts';
import { countryOf, isImported, metalsOf, stonesOf } from './facets.ts';
import { sortListed } from './listing.ts';
import { categories, type Category } from '#domain/catalogue/category.ts';
import type { Product } from '#domain/catalogue/product.ts';

/*
 * The whole catalogue as a browser fetches it. The index has what filters and sorting need; a product's position in it
 * identifies the product in the other files: the texts that a search reads, and its card.
 */

export interface IndexedProduct {
  name: string;
  category: Category;
  price: Paise;
  offerPrice: Paise | null;
  inStock: boolean;
  metals: string[];
  stones: string[];
  /** Sizes that were in stock when the index was made. */
  sizes: string[];
  /** '' in a shop without imported products: there is nothing to choose. */
  origin: string;
  /** The number of newer products. */
  age: number;
  /** Higher for better reviews; 0 without any. */
  score: number;
}

/** The rest of a card. Random ids do not compress, so cards are fetched in small files. */
export interface CardDetails {
  id: string;
  description: string;
  /** Units in stock at build time. */
  stock: number;
  /** Entries as in the database: paths in the bucket or URLs. */
  images: string[];
  /** The product has sizes, so its button leads to the product page. */
  sized: boolean;
}

/** What a search reads of a product besides its name and category. */
interface SearchedTexts {
  description: string;
  /** Materials and the like, as the admin wrote them. */
  facts: string;
  /** Sizes in stock, and those that are sold out, at build time. */
  sizes: string[];
  soldOutSizes: string[];
}

/** A sentence with a link, for words of a search that name no product, such as 'cod'. */
export interface SearchAnswer {
  /** Words or phrases with commas between. */
  words: string;
  sentence: string;
  link: string;
  href: string;
}

/** What only a search needs: the products' texts in index order, the shop's own words, and what it answers. */
export interface SearchFile {
  texts: SearchedTexts[];
  words: SearchSettings;
  answers: SearchAnswer[];
}

export const cardsPerFile = 12;

/** The order of the index and of the built pages: by name, products in stock first. */
export const inIndexOrder = (products: readonly Product[]): Product[] =>
  sortListed(products, 'name');

/**
 * The index of products that are in the order of `inIndexOrder`.
 *
 * @param scores - Of products with reviews, by their ids.
 */
export function createIndex(
  products: readonly Product[],
  scores: ReadonlyMap<string, number> = new Map(),
): (Omit<IndexedProduct, 'origin' | 'sizes' | 'score'> & Partial<IndexedProduct>)[] {
  // Stock must not influence the age, so every product counts as in stock here.
  const newestFirst = sortListed(
    products.map((product, position) => ({ ...product, stock: 1, position })),
    'latest',
  );
  const hasImports = products.some(({ attributes }) => isImported(attributes));
  const ages = new Map(newestFirst.map(({ position }, age) => [position, age]));
  const inStock = ({ sizes }: Product): string[] =>
    sizes.flatMap(({ size, stock }) => (stock > 0 ? [size] : []));
  return products.map((product, position) => ({
    name: product.name,
    category: product.category,
    price: product.price,
    offerPrice: product.offerPrice,
    inStock: product.stock > 0,
    metals: metalsOf(product.attributes),
    stones: stonesOf(product.attributes),
    ...(inStock(product).length > 0 ? { sizes: inStock(product) } : {}),
    ...(hasImports ? { origin: countryOf(product.attributes) } : {}),
    age: ages.get(position) ?? 0,
    ...(scores.has(product.id) ? { score: scores.get(product.id) ?? 0 } : {}),
  }));
}

/** The cards of products in index order, one list per file. */
export function createCardFiles(products: readonly Product[]): CardDetails[][] {
  const cards = products.map(({ id, description, stock, images, sizes }) => ({
    id,
    description,
    stock,
    images,
    sized: sizes.length > 0,
  }));
  return Array.from({ length: Math.ceil(cards.length / cardsPerFile) }, (_, file) =>
    cards.slice(file * cardsPerFile, (file + 1) * cardsPerFile),
  );
}

/**
 * The attributes by which customers look for a product. The plating is missing, because its carat would answer a search for gold of
 * that carat.
 */
const searchedAttributes = ['metal', 'purity', 'stone', 'size', 'origin'] as const;

/** The file for the search of products in index order. Empty lists are left out. */
export function createSearchFile(
  products: readonly Product[],
  words: SearchSettings,
  answers: readonly SearchAnswer[] = [],
): {
  texts: (Pick<SearchedTexts, 'description' | 'facts'> & Partial<SearchedTexts>)[];
  words: SearchSettings;
  answers: readonly SearchAnswer[];
} {
  const texts = products.map(({ description, attributes, sizes }) => {
    const inStock = sizes.filter(({ stock }) => stock > 0).map(({ size }) => size);
    const soldOut = sizes.filter(({ stock }) => stock <= 0).map(({ size }) => size);
    return {
      description,
      facts: searchedAttributes
        .flatMap((key) => attributes[key] ?? [])
        .filter((fact) => fact !== 'None')
        .join(', '),
      ...(inStock.length > 0 ? { sizes: inStock } : {}),
      ...(soldOut.length > 0 ? { soldOutSizes: soldOut } : {}),
    };
  });
  return { texts, words, answers };
}

function category(value: unknown): Category {
  const found = categories.find((known) => known === value);
  if (found === undefined) throw new v.ValidationError('Not a category');
  return found;
}

/** Parses a fetched index. Throws ValidationError. */
export const parseIndex: v.Validator<IndexedProduct[]> = v.array(
  v.object({
    name: v.string,
    category,
    price: v.nonNegativeInt,
    offerPrice: v.withDefault(v.nonNegativeInt, null),
    inStock: (value) => value === true,
    metals: v.array(v.string),
    stones: v.array(v.string),
    sizes: v.withDefault(v.array(v.string), []),
    origin: v.withDefault(v.string, ''),
    age: v.nonNegativeInt,
    score: v.withDefault(v.nonNegativeInt, 0),
  }),
);

/** Parses the fetched list of the files of cards. Throws ValidationError. */
export const parseCardFiles: v.Validator<string[]> = v.array(v.nonEmptyString);

/** Parses a fetched file of cards. Throws ValidationError. */
export const parseCards: v.Validator<CardDetails[]> = v.array(
  v.object({
    id: v.nonEmptyString,
    description: v.string,
    stock: v.nonNegativeInt,
    images: v.array(v.string),
    sized: (value) => value === true,
  }),
);

const sizes = v.withDefault(v.array(v.string), []);
const optionalString = v.withDefault(v.string, undefined);

/** Parses a fetched file for the search. Throws ValidationError. */
export const parseSearchFile: v.Validator<SearchFile> = v.object({
  texts: v.array(v.object({ description: v.string, facts: v.string, sizes, soldOutSizes: sizes })),
  words: v.object({
    synonyms: v.array(v.object({ words: v.string, finds: optionalString, within: optionalString })),
    ignored: optionalString,
  }),
  answers: v.withDefault(
    v.array(v.object({ words: v.string, sentence: v.string, link: v.string, href: v.string })),
    [],
  ),
});
