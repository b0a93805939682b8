import * as v from '../validate.ts';
import { metalsOf, stonesOf } from './facets.ts';
import { sortListed } from './listing.ts';
import { pack, packColumn, packed, unpack, type Packed } from './packed-column.ts';
import { categories, type Product } from './product.ts';

/*
 * What search, filters and sorting need of every product, as columns: 10,000 products are some 50 KB when compressed. A
 * product is known by its position in the order by name, those in stock first. Ids, pictures and texts of cards are in
 * files of a few cards each: random ids alone would be three times the whole index. So is the order by age, which only
 * 'Latest' needs: a list without any pattern, a third of the index.
 */

/** A facet: its labels, and the sets of them that products have, as positions in `labels`. */
export interface LabelColumn extends Packed<number[]> {
  labels: string[];
}

/** The index as it is sent. */
export interface CatalogueIndex {
  /** The words of all names, and a line for each product with a character for each word of its name. */
  names: Packed<string>;
  /** How many products are in stock: the first so many. */
  available: number;
  /** A digit for each product: its position in `categories`. */
  categories: string;
  /** What `prices` and `offers` count, in paise. */
  unit: number;
  prices: Packed<number>;
  /** 0 without an offer. */
  offers: Packed<number>;
  metals: LabelColumn;
  stones: LabelColumn;
  cardsPerFile: number;
}

function packNames(names: readonly string[]): Packed<string> {
  const rows = names.map((name) => name.replaceAll(/\s+/gu, ' ').split(' '));
  const { values, codeFor } = pack(rows.flat());
  return { values, codes: rows.map((row) => row.map(codeFor).join('')).join('\n') };
}

function packLabels(rows: readonly (readonly string[])[]): LabelColumn {
  const labels = [...new Set(rows.flat())].sort();
  const sets = rows.map((row) => [...new Set(row)].map((label) => labels.indexOf(label)));
  return { labels, ...packColumn(sets, (set) => set.join()) };
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);

/** The order in which the index, the card files and the built pages have the products. */
export const inIndexOrder = (products: readonly Product[]): Product[] =>
  sortListed(products, 'name');

/** Encodes products that are in the order of `inIndexOrder`. */
export function encodeIndex(products: readonly Product[], cardsPerFile: number): CatalogueIndex {
  const amounts = products.flatMap(({ price, offerPrice }) => [price, offerPrice ?? 0]);
  const unit = amounts.reduce(greatestCommonDivisor, 0) || 1;
  return {
    names: packNames(products.map(({ name }) => name)),
    available: products.filter(({ stock }) => stock > 0).length,
    categories: products.map(({ category }) => String(categories.indexOf(category))).join(''),
    unit,
    prices: packColumn(products.map(({ price }) => price / unit)),
    offers: packColumn(products.map(({ offerPrice }) => (offerPrice ?? 0) / unit)),
    metals: packLabels(products.map(({ attributes }) => metalsOf(attributes))),
    stones: packLabels(products.map(({ attributes }) => stonesOf(attributes))),
    cardsPerFile,
  };
}

/** For each product, in the order of the index, how many are newer. */
export function encodeAges(products: readonly Product[]): number[] {
  // As if all were in stock: who reads it puts the sold-out ones last by itself.
  const newest = sortListed(
    products.map((product, position) => ({ ...product, stock: 1, position })),
    'latest',
  );
  const ages = Array.from(products, () => 0);
  for (const [rank, { position }] of newest.entries()) ages[position] = rank;
  return ages;
}

/** The index as the listing works with it; `charged` and `prices` in paise, positions as above. */
export interface Columns {
  count: number;
  available: number;
  names: string[];
  /** Positions in `categories`. */
  categories: Uint8Array;
  prices: number[];
  /** The offer price, else the price. */
  charged: number[];
  metals: LabelSets;
  stones: LabelSets;
  cardsPerFile: number;
}

/** `sets[products[position]]` are the labels of a product, as positions in `labels`. */
export interface LabelSets {
  labels: string[];
  sets: number[][];
  products: Uint16Array;
}

const labelColumn = v.object({
  labels: v.array(v.string),
  values: v.array(v.array(v.nonNegativeInt)),
  codes: v.string,
});
const parseIndex: v.Validator<CatalogueIndex> = v.object({
  names: packed(v.string),
  available: v.nonNegativeInt,
  categories: v.string,
  unit: v.nonNegativeInt,
  prices: packed(v.number),
  offers: packed(v.number),
  metals: labelColumn,
  stones: labelColumn,
  cardsPerFile: v.nonNegativeInt,
});

const unpackLabels = ({ labels, values, codes }: LabelColumn): LabelSets => ({
  labels,
  sets: values,
  products: Uint16Array.from(unpack({ values: [...values.keys()], codes })),
});

/** Reads an index that was fetched. Throws ValidationError. */
export function decodeIndex(value: unknown): Columns {
  const index = parseIndex(value);
  const prices = unpack(index.prices).map((price) => price * index.unit);
  const offers = unpack(index.offers).map((offer) => offer * index.unit);
  const { values, codes } = index.names;
  return {
    count: prices.length,
    available: index.available,
    names:
      prices.length === 0
        ? []
        : codes.split('\n').map((line) => unpack({ values, codes: line }).join(' ')),
    categories: Uint8Array.from(index.categories, Number),
    prices,
    charged: prices.map((price, position) =>
      offers[position] === 0 ? price : (offers[position] ?? price),
    ),
    metals: unpackLabels(index.metals),
    stones: unpackLabels(index.stones),
    cardsPerFile: index.cardsPerFile,
  };
}

/** Reads the ages that were fetched. Throws ValidationError. */
export const decodeAges: v.Validator<number[]> = v.array(v.nonNegativeInt);
