import type { TableFile } from '../../../../domain/admin/table-file.ts';
import type { CatalogueColumn } from '../catalogue-csv.ts';

/** A field that one column fills. */
export type PlainField = Exclude<CatalogueColumn['field'], 'images' | 'imageAlts'>;

/** A product as another shop's file describes it, in the columns of this shop. */
export interface SourceProduct {
  /** Its first row. */
  row: number;
  /** What identifies it in its source for ever; null when the file says its ID here. */
  key: string | null;
  name: string;
  /** The texts of its fields; one that is not given stays as the shop has it. */
  fields: Partial<Record<PlainField, string>>;
  /** The images in their order. A description that is not given stays as the shop has it. */
  images: readonly { address?: string; alt?: string }[];
  /** What the source calls its category, the most particular name first. */
  categories: readonly string[];
  /** Nobody counts its stock there, or that of its sizes: the admin says how many units there are. */
  isUncounted: boolean;
  /** The sizes with their stock, '' where it is uncounted; empty for a product without a choice. */
  sizes: readonly { size: string; stock: string }[];
  /** Its paths in the shop that it comes from, as the file has them: '/products/leaf-ring'. */
  oldAddresses: readonly string[];
  /** Why it cannot be brought over; null when it can. */
  leftOut: string | null;
  /** What cannot be read of it: the field and a sentence. */
  faults: readonly (readonly [PlainField, string])[];
}

/** The file of another shop. */
export interface Source {
  /** Its name, as the admin knows it. */
  name: string;
  /** Whether a file is one, by its headings. */
  isSourceOf: (table: TableFile) => boolean;
  read: (table: TableFile) => SourceProduct[];
}

/** One of the things that customers choose from: a size, or the product itself when there is no choice. */
export interface Variant {
  /** The values of its options, such as size and colour; none for a product without a choice. */
  options: readonly string[];
  price: string;
  /** A second price, in either order: the higher one is the price, the lower one the offer. */
  otherPrice: string;
  /** Null when it is not counted. */
  stock: string | null;
}

const amount = (text: string): number => Number(text.replace(/[^\d.]/gu, ''));

/** The higher of two prices, and the lower one when it is an offer. */
function priceAndOffer(one: string, other: string): { price: string; offerPrice: string } {
  if (amount(other) === 0 || amount(one) === amount(other)) return { price: one, offerPrice: '' };
  if (amount(one) === 0) return { price: other, offerPrice: '' };
  return amount(one) > amount(other)
    ? { price: one, offerPrice: other }
    : { price: other, offerPrice: one };
}

/** Stock that was sold beyond zero is none. */
const units = (stock: string): string =>
  stock.trim().startsWith('-') ? '0' : stock.trim().replace(/\.0+$/u, '');

/** The part of a product that its variants say: price, stock and sizes. */
export function fromVariants(
  variants: readonly Variant[],
): Pick<SourceProduct, 'fields' | 'sizes' | 'isUncounted' | 'faults'> {
  const prices = variants.map(({ price, otherPrice }) => priceAndOffer(price, otherPrice));
  const charged = new Set(
    prices.map(({ price, offerPrice }) => amount(offerPrice === '' ? price : offerPrice)),
  );
  const isUncounted = variants.every(({ stock }) => stock === null);
  const sizes = variants.flatMap(({ options, stock }) => {
    const chosen = options.map((option) => option.trim()).filter((option) => option !== '');
    return chosen.length === 0
      ? []
      : [{ size: chosen.join(' / '), stock: isUncounted ? '' : units(stock ?? '0') }];
  });
  const [first] = variants;
  return {
    fields: {
      ...prices[0],
      ...(sizes.length === 0 && !isUncounted && { stock: units(first?.stock ?? '0') }),
    },
    sizes,
    isUncounted,
    faults:
      charged.size > 1
        ? [
            [
              'price',
              'Its sizes have different prices. Here a product has one price: write it in each of its rows, or make two products of it',
            ],
          ]
        : [],
  };
}

/** Rows that belong together, in the order of the file. */
export function groupRows<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): [Row, ...Row[]][] {
  const groups = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return [...groups.values()];
}

/** The parts of a category such as 'Jewellery > Rings', the most particular one first. */
export const categoryPath = (path: string): string[] =>
  path
    .split(/[>|]/u)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .reverse();
