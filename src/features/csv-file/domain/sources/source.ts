import { paiseFromText } from '#domain/admin/typed-rupees.ts';
import type { TableFile, TableRow } from '#domain/admin/table-file.ts';
import type { CatalogueColumn } from '#features/csv-file/domain/catalogue-csv.ts';

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
  /** Nobody counts its stock there, or that of one of its sizes: the admin says how many units there are. */
  isUncounted: boolean;
  /** What customers choose from, as the file has it; none where the file is in the shop's own columns. */
  variants: readonly Variant[];
  /** The code of its prices' currency; null for rupees. */
  currency: string | null;
  /** The sizes with their stock, '' where it is uncounted; empty for a product without a choice. */
  sizes: readonly { size: string; stock: string }[];
  /** Its paths in the shop that it comes from, as the file has them: '/products/leaf-ring'. */
  oldAddresses: readonly string[];
  /** Why it cannot be brought over; null when it can. */
  leftOut: string | null;
  /** What cannot be read of it: the field and a sentence. */
  faults: readonly (readonly [PlainField, string])[];
  /** Texts of it that the shop has no place for: the file's column and why. */
  unplaced: readonly (readonly [column: string, why: string])[];
}

/** The file of another shop. */
export interface Source {
  /** Its name, as the admin knows it. */
  name: string;
  /** Whether a file is one, by its headings. */
  isSourceOf: (table: TableFile) => boolean;
  /** Its products, with the prices of `now`. */
  read: (table: TableFile, now: Date) => SourceProduct[];
}

/** One of the things that customers choose from: a size, or the product itself when there is no choice. */
export interface Variant {
  /** The values of its options, such as size and colour; none for a product without a choice. */
  options: readonly string[];
  /** What the other shop charges now. */
  price: string;
  /** What it charged before; '' when that is the same. One that is not higher is none. */
  before: string;
  /** What cannot be read of its offer. */
  fault?: string;
  /** Null when it is not counted. */
  stock: string | null;
}

/** The price and the offer of this shop. A text that is no amount stays, so that the form refuses it. */
function priceAndOffer({ price, before }: Variant): { price: string; offerPrice: string } {
  const [now, then] = [paiseFromText(price), paiseFromText(before)];
  if (before.trim() === '' || then === 0) return { price, offerPrice: '' };
  if (price.trim() === '' || now === 0) return { price: before, offerPrice: '' };
  return now !== null && then !== null && then <= now
    ? { price, offerPrice: '' }
    : { price: before, offerPrice: price };
}

const isoMoment =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<clock>\d{1,2}:\d\d(?::\d\d)?))?(?<zone>Z|[+-]\d\d:?\d\d)?$/u;

/** A moment in ms since the epoch: India's without a zone, and at `time` without a time. NaN for a text that is no ISO 8601. */
function momentOf(text: string, time: string): number {
  const { day = '', clock = time, zone = '+05:30' } = isoMoment.exec(text.trim())?.groups ?? {};
  // WooCommerce writes '0:00:00', Google '-0800'; not every browser reads them.
  const isoClock = clock.replace(/^\d:/u, '0$&');
  return Date.parse(`${day}T${isoClock}${zone.replace(/(?<=\d\d)(?=\d\d$)/u, ':')}`);
}

/** A sale with its first and last day or moment, '' for none. */
interface Sale {
  regular: string;
  sale: string;
  begins: string;
  ends: string;
}

/** The prices at `now`. Days are not guessed: 01/12/2026 is two of them. */
export function salePrices(
  { regular, sale, begins, ends }: Sale,
  now: Date,
): Pick<Variant, 'price' | 'before' | 'fault'> {
  if (sale.trim() === '') return { price: regular, before: '' };
  const first = begins.trim() === '' ? -Infinity : momentOf(begins, '00:00:00');
  const last = ends.trim() === '' ? Infinity : momentOf(ends, '23:59:59');
  const prices = { price: sale, before: regular };
  if (Number.isNaN(first) || Number.isNaN(last))
    return {
      ...prices,
      fault:
        'The days of its sale cannot be read: write them in the file as 2026-12-31, or leave them empty',
    };
  const isOn = first <= now.getTime() && now.getTime() <= last;
  return isOn ? prices : { price: regular, before: '' };
}

/** What a variant costs now, so that two spellings of one amount are the same. */
function chargedOf(variant: Variant): string {
  const { price, offerPrice } = priceAndOffer(variant);
  const text = offerPrice === '' ? price : offerPrice;
  return String(paiseFromText(text) ?? text.trim());
}

export const hasSeveralPrices = (variants: readonly Variant[]): boolean =>
  new Set(variants.map(chargedOf)).size > 1;

const severalPrices =
  'Its sizes have different prices, and here a product has one price. Choose above to make several products of it, or write one price in each of its rows';

/** Unknown is not zero: an empty cell says no more than a missing one. */
const isCounted = ({ stock }: Variant): boolean => stock !== null && stock.trim() !== '';

/** Stock that was sold beyond zero is none. */
const units = (stock: string): string =>
  stock.trim().startsWith('-') ? '0' : stock.trim().replace(/\.0+$/u, '');

/** The part of a product that its variants say: price, stock and sizes. */
function fromVariants(
  variants: readonly Variant[],
): Pick<SourceProduct, 'fields' | 'sizes' | 'isUncounted' | 'faults'> {
  const prices = variants.map(priceAndOffer);
  const isUncounted = variants.some((variant) => !isCounted(variant));
  const sizes = variants.flatMap(({ options, stock }) => {
    const chosen = options.map((option) => option.trim()).filter((option) => option !== '');
    return chosen.length === 0 ? [] : [{ size: chosen.join(' / '), stock: units(stock ?? '') }];
  });
  const [first] = variants;
  const faults = variants.flatMap(({ fault }): SourceProduct['faults'][number][] =>
    fault === undefined ? [] : [['offerPrice', fault]],
  );
  if (hasSeveralPrices(variants)) faults.push(['price', severalPrices]);
  if (variants.length > 1 && sizes.length < variants.length)
    faults.push([
      'sizes',
      'Several rows are this product, and not each says its size, or what else customers choose: write it in each of them',
    ]);
  return {
    fields: {
      ...prices[0],
      ...(sizes.length === 0 && !isUncounted && { stock: units(first?.stock ?? '') }),
    },
    sizes,
    isUncounted,
    faults,
  };
}

/** A product of a file with what its variants say of it. What is not given is none. */
export function productOf(
  given: Pick<SourceProduct, 'row' | 'key' | 'name' | 'fields'> & Partial<SourceProduct>,
  variants: readonly Variant[],
): SourceProduct {
  const { fields, ...told } = fromVariants(variants);
  return {
    images: [],
    categories: [],
    oldAddresses: [],
    leftOut: null,
    currency: null,
    unplaced: [],
    ...given,
    ...told,
    variants,
    fields: { ...fields, ...given.fields },
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

/** Rows that name no product, as products that are left out: what is not empty is counted. */
export const rowsWithout = (
  rows: readonly TableRow[],
  keyOf: (row: TableRow) => string,
  heading: string,
): SourceProduct[] =>
  rows
    .filter((row) => keyOf(row) === '')
    .map(({ row }) =>
      productOf(
        {
          row,
          key: `row ${String(row)}`,
          name: '',
          fields: {},
          leftOut: `This row says no “${heading}”, so it belongs to no product`,
        },
        [],
      ),
    );

/** The parts of a category such as 'Jewellery > Rings', the most particular one first. */
export const categoryPath = (path: string): string[] =>
  path
    .split(/[>|]/u)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .reverse();

/** The HSN code, which other shops keep in a column of their own making: 'Meta: hsn_code', 'HSN code (product.metafields.custom.hsn)'. */
export function hsnOf(
  rows: readonly TableRow[],
  headings: readonly string[],
): { fields: { hsn?: string }; unplaced: SourceProduct['unplaced'] } {
  const found = headings
    .filter((heading) => /(?:^|[^a-z])hsn(?:[^a-z]|$)/iu.test(heading))
    .flatMap((heading) =>
      rows
        .map((row) => ({ heading, text: row.cell(heading).trim() }))
        .filter(({ text }) => text !== ''),
    );
  const [first] = found;
  if (first === undefined) return { fields: {}, unplaced: [] };
  const code = found.find(({ text }) => /^(?:\d{4}|\d{6}|\d{8})$/u.test(text));
  return code === undefined
    ? { fields: {}, unplaced: [[first.heading, 'An HSN code has 4, 6 or 8 digits']] }
    : { fields: { hsn: code.text }, unplaced: [] };
}
