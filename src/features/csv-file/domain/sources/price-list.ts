import { moneyOf } from '#features/csv-file/domain/foreign-money.ts';
import { paiseFromText } from '#domain/admin/typed-rupees.ts';
import type { TableFile, TableRow } from '#domain/admin/table-file.ts';
import { catalogueColumns, type CatalogueColumn } from '#features/csv-file/domain/catalogue-csv.ts';
import { oneSize, ownMapping, sameProduct, type Mapping } from './guess-columns.ts';
import { groupRows, productOf, type SourceProduct, type Variant } from './source.ts';

/* A list with headings of its own, or the shop's own file: the admin says what each column is. */

/** The lower of two prices is charged, whichever of the columns it stands in. */
function pricesOf(price: string, offer: string): { price: string; before: string } {
  if (offer.trim() === '') return { price, before: '' };
  const [full, less] = [paiseFromText(price), paiseFromText(offer)];
  return full !== null && less !== null && full < less && full > 0
    ? { price, before: offer }
    : { price: offer, before: price };
}

const columnOf = (label: string): CatalogueColumn | undefined =>
  catalogueColumns.find((column) => column.label === label);

/** A list as its mapping says. */
interface MappedList {
  columns: readonly CatalogueColumn[];
  headingOf: (field: string) => string | undefined;
  text: (row: TableRow, field: string) => string;
}

function mappedList(mapping: Mapping): MappedList {
  const headings = new Map(Object.entries(mapping).map(([heading, field]) => [field, heading]));
  const headingOf = (field: string): string | undefined => headings.get(field);
  return {
    columns: Object.values(mapping).flatMap((field) => columnOf(field) ?? []),
    headingOf,
    text: (row, field) => row.cell(headingOf(field) ?? ''),
  };
}

/** The columns that say something of each size; of the others a product has one text. */
const ofSizes = new Set(['Price', 'Offer price', 'Stock', sameProduct, oneSize]);

/** Columns in which the rows of one product do not agree, although the product has one text. The first of them is taken. */
function disagreeing(
  group: readonly TableRow[],
  { columns, headingOf, text }: MappedList,
): SourceProduct['unplaced'] {
  return columns.flatMap(({ label, field }): SourceProduct['unplaced'][number][] => {
    const texts = new Set(group.map((row) => text(row, label).trim()).filter((one) => one !== ''));
    return texts.size < 2 || ofSizes.has(label) || field === 'images'
      ? []
      : [[headingOf(label) ?? label, 'Another row of the same product says something else']];
  });
}

/** The images of all rows of a product, each once. */
function imagesOf(
  group: readonly TableRow[],
  { columns, text }: MappedList,
): SourceProduct['images'] {
  const labels = columns.filter(({ field }) => field === 'images').map(({ label }) => label);
  const addresses = group.flatMap((row) => labels.map((label) => text(row, label).trim()));
  return [...new Set(addresses)].filter((one) => one !== '').map((address) => ({ address }));
}

/** What one row says of price and stock. The currency stands in a cell, or in the column's name. */
function variantOf(
  row: TableRow,
  { headingOf, text }: MappedList,
): { variant: Variant; currency: string | null } {
  const [price, offer] = ['Price', 'Offer price'].map((field) => ({
    ...moneyOf(text(row, field)),
    ofColumn: moneyOf(headingOf(field) ?? '').currency,
  }));
  return {
    variant: {
      options: [text(row, oneSize)],
      ...pricesOf(price?.amount ?? '', offer?.amount ?? ''),
      stock: text(row, 'Stock'),
    },
    currency: price?.currency ?? offer?.currency ?? price?.ofColumn ?? offer?.ofColumn ?? null,
  };
}

/** A reader of a list by its mapping. In the shop's own file, whose headings are all known, a row without an ID adds a product each time. */
export const readListBy =
  (mapping: Mapping) =>
  ({ headings, rows }: TableFile): SourceProduct[] => {
    const isOwn = !Object.values(ownMapping(headings.filter((name) => name !== ''))).includes('');
    const list = mappedList(mapping);
    const { columns, text } = list;
    const seen = new Map<string, number>();
    const keyOf = (row: TableRow): string =>
      text(row, sameProduct).trim() || `row ${String(row.row)}`;
    return groupRows(rows, keyOf).map((group) => {
      const [first] = group;
      const given = (label: string): string =>
        group.map((row) => text(row, label)).find((found) => found.trim() !== '') ?? '';
      const fields: SourceProduct['fields'] = {};
      const images: { address?: string; alt?: string }[] = [];
      for (const { field, label, place } of columns) {
        if (field === 'images') images[place] = { ...images[place], address: given(label) };
        else if (field === 'imageAlts') images[place] = { ...images[place], alt: given(label) };
        else fields[field] = given(label);
      }
      const name = fields.name ?? '';
      const nth = (seen.get(name.toLowerCase()) ?? 0) + 1;
      seen.set(name.toLowerCase(), nth);
      const categories = (fields.category ?? '').trim() === '' ? [] : [fields.category ?? ''];
      const common = { row: first.row, name, categories };
      if (isOwn || (fields.id ?? '').trim() !== '')
        return {
          ...productOf({ ...common, key: null, fields, images }, []),
          fields,
          isUncounted: false,
        };
      const told = group.map((row) => variantOf(row, list));
      const { price: _price, offerPrice: _offer, stock: _stock, ...others } = fields;
      const product = productOf(
        {
          ...common,
          key: text(first, sameProduct).trim() || `${name} ${String(nth)}`,
          fields: others,
          images: group.length === 1 ? images : imagesOf(group, list),
          currency: told.find(({ currency }) => currency !== null)?.currency ?? null,
          unplaced: disagreeing(group, list),
        },
        told.map(({ variant }) => variant),
      );
      return {
        ...product,
        isUncounted: product.isUncounted && (fields.sizes ?? '').trim() === '',
      };
    });
  };
