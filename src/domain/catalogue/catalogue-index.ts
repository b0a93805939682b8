import * as v from '../validate.ts';
import { metalsOf, stonesOf } from './facets.ts';
import { sortListed } from './listing.ts';
import { categories, type Product } from './product.ts';

/*
 * What search, filters and sorting need of every product, as columns: 10,000 products are some 60 KB when compressed. A
 * product is known by its position in the order by name, those in stock first. Ids, pictures and texts of cards are in
 * files of a few cards each: random ids alone would be three times the whole index.
 */

/** A facet's labels, the sets of them that products have, and a character for each product that names its set. */
export interface LabelColumn {
  labels: string[];
  /** Positions in `labels`. */
  sets: number[][];
  products: string;
}

/** The index as it is sent. */
export interface CatalogueIndex {
  /** One name a line. */
  names: string;
  /** How many products are in stock: the first so many. */
  available: number;
  /** A digit for each product: its position in `categories`. */
  categories: string;
  /** What `prices` and `offers` count, in paise. */
  unit: number;
  prices: number[];
  /** For products on offer: how many products after the one before, and the offer price. */
  offers: [gap: number, price: number][];
  metals: LabelColumn;
  stones: LabelColumn;
  /** For each product how many are newer. */
  newer: number[];
  cardsPerFile: number;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ');
/** The first character that JSON leaves as it is for this and all that follow, but for the backslash. */
const firstCharacter = 35;

function encodeLabels(rows: readonly (readonly string[])[]): LabelColumn {
  const labels = [...new Set(rows.flat())].sort();
  const known = new Map<string, number>();
  const sets: number[][] = [];
  const codes = rows.map((row) => {
    const set = [...new Set(row)].map((label) => labels.indexOf(label));
    const key = set.join();
    const code = known.get(key) ?? known.set(key, sets.push(set) - 1).get(key) ?? 0;
    return String.fromCodePoint(firstCharacter + code);
  });
  return { labels, sets, products: codes.join('') };
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));

/** The order in which the index, the card files and the built pages have the products. */
export const inIndexOrder = (products: readonly Product[]): Product[] => sortListed(products, 'name');

/** Encodes products that are in the order of `inIndexOrder`. */
export function encodeIndex(products: readonly Product[], cardsPerFile: number): CatalogueIndex {
  const amounts = products.flatMap(({ price, offerPrice }) => [price, offerPrice ?? 0]);
  const unit = amounts.reduce(greatestCommonDivisor, 0) || 1;
  const offers: [number, number][] = [];
  let before = 0;
  for (const [position, { offerPrice }] of products.entries()) {
    if (offerPrice === null) continue;
    offers.push([position - before, offerPrice / unit]);
    before = position;
  }
  // Not 'sold out last' here: whoever reads it puts those last anyway.
  const newest = sortListed(products.map((product, position) => ({ ...product, stock: 1, position })), 'latest');
  const newer = Array.from(products, () => 0);
  for (const [rank, { position }] of newest.entries()) newer[position] = rank;
  return {
    names: products.map(({ name }) => oneLine(name)).join('\n'),
    available: products.filter(({ stock }) => stock > 0).length,
    categories: products.map(({ category }) => String(categories.indexOf(category))).join(''),
    unit,
    prices: products.map(({ price }) => price / unit),
    offers,
    metals: encodeLabels(products.map(({ attributes }) => metalsOf(attributes))),
    stones: encodeLabels(products.map(({ attributes }) => stonesOf(attributes))),
    newer,
    cardsPerFile,
  };
}

/** The index as the listing works with it; `charged` and `prices` in paise, positions as above. */
export interface Columns {
  count: number;
  available: number;
  names: string[];
  /** Positions in `categories`. */
  categories: Uint8Array;
  prices: Float64Array;
  /** The offer price, else the price. */
  charged: Float64Array;
  metals: LabelSets;
  stones: LabelSets;
  newer: Uint32Array;
  cardsPerFile: number;
}

/** `sets[products[position]]` are the labels of a product, as positions in `labels`. */
export interface LabelSets {
  labels: string[];
  sets: number[][];
  products: Uint16Array;
}

const labelColumn = v.object({ labels: v.array(v.string), sets: v.array(v.array(v.nonNegativeInt)), products: v.string });
const parseIndex: v.Validator<Omit<CatalogueIndex, 'offers'> & { offers: number[][] }> = v.object({
  names: v.string,
  available: v.nonNegativeInt,
  categories: v.string,
  unit: v.nonNegativeInt,
  prices: v.array(v.number),
  offers: v.array(v.array(v.number)),
  metals: labelColumn,
  stones: labelColumn,
  newer: v.array(v.nonNegativeInt),
  cardsPerFile: v.nonNegativeInt,
});

const decodeLabels = ({ labels, sets, products }: LabelColumn): LabelSets => ({
  labels,
  sets,
  products: Uint16Array.from(products, (character) => (character.codePointAt(0) ?? firstCharacter) - firstCharacter),
});

/** Reads an index that was fetched. Throws ValidationError. */
export function decodeIndex(value: unknown): Columns {
  const index = parseIndex(value);
  const names = index.names === '' ? [] : index.names.split('\n');
  const prices = Float64Array.from(index.prices, (price) => price * index.unit);
  const charged = Float64Array.from(prices);
  let position = 0;
  for (const [gap = 0, price = 0] of index.offers) {
    position += gap;
    charged[position] = price * index.unit;
  }
  return {
    count: prices.length,
    available: index.available,
    names,
    categories: Uint8Array.from(index.categories, Number),
    prices,
    charged,
    metals: decodeLabels(index.metals),
    stones: decodeLabels(index.stones),
    newer: Uint32Array.from(index.newer),
    cardsPerFile: index.cardsPerFile,
  };
}
