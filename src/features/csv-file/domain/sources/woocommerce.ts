import { wordPressSlug } from '#features/csv-file/domain/wordpress-slug.ts';
import type { TableFile, TableRow } from '#domain/admin/table-file.ts';
import {
  categoryPath,
  groupRows,
  hsnOf,
  productOf,
  salePrices,
  type Source,
  type SourceProduct,
} from './source.ts';

/*
 * WooCommerce's product export (its class WC_Product_CSV_Exporter, read on 28 November 2026). A variable product is a row, and each
 * of its variations another, which names it by SKU or as "id:44", and is switched off when its Published is 0 (-1: its product is a
 * draft). Lists have commas, a comma within a part is written "\,", and a description has its line breaks as "\n". The days of a sale
 * are those of the shop's clock, as "2026-12-01 0:00:00".
 */

const listOf = (text: string): string[] =>
  text
    .split(/(?<!\\),/u)
    .map((part) => part.replaceAll('\\,', ',').trim())
    .filter((part) => part !== '');

const isOf = (row: TableRow, type: string): boolean =>
  listOf(row.cell('Type').toLowerCase()).includes(type);
const names = (row: TableRow): string[] =>
  [`id:${row.cell('ID')}`, row.cell('SKU').trim()].filter((name) => name !== '');

/** Empty for stock that is not counted, "parent" for what all variations share. Then "In stock?" is 0, 1 or backorder. */
function stockOf(row: TableRow): string | null {
  const stock = row.cell('Stock').trim();
  if (/^-?\d/u.test(stock)) return stock;
  return row.cell('In stock?').trim() === '0' ? '0' : null;
}

const isAttributeValue = (heading: string): boolean => /^attribute \d+ value\(s\)$/iu.test(heading);

/** The values of the choices that a variation is. */
const optionsOf = (row: TableRow): string[] =>
  Array.from({ length: 9 }, (_, at) => row.cell(`Attribute ${String(at + 1)} value(s)`)).filter(
    (value) => value.trim() !== '',
  );

/** Why a product is no thing that can be sent; null when it is one. */
function leftOutOf(row: TableRow): string | null {
  if (isOf(row, 'grouped')) return 'This is a group of other products';
  if (isOf(row, 'external')) return 'This is sold in another shop';
  if (isOf(row, 'virtual') || isOf(row, 'downloadable')) return 'This is not sent in a parcel';
  return null;
}

function readProduct(
  row: TableRow,
  { headings }: Pick<TableFile, 'headings'>,
  now: Date,
  variations: readonly TableRow[] = [],
): SourceProduct {
  const sold = variations.filter((one) => one.cell('Published').trim() !== '0');
  const rows = variations.length === 0 ? [row] : sold;
  const text = (heading: string): string => row.cell(heading).replaceAll('\\n', '\n').trim();
  const grams = Number(row.cell('Weight (g)')) || Number(row.cell('Weight (kg)')) * 1_000;
  const slug = wordPressSlug(row.cell('Name'));
  const hsn = hsnOf([row, ...rows], headings);
  const described = variations.length > 0 ? [] : headings.filter(isAttributeValue);
  return productOf(
    {
      row: row.row,
      key: row.cell('ID').trim() || row.cell('SKU').trim() || slug,
      name: row.cell('Name'),
      fields: {
        name: row.cell('Name'),
        description: text('Description') || text('Short description'),
        hidden:
          row.cell('Published').trim() === '1' &&
          row.cell('Visibility in catalog').trim().toLowerCase() !== 'hidden'
            ? 'yes'
            : 'no',
        ...(grams > 0 && { weight_g: String(Number(grams.toFixed(2))) }),
        ...hsn.fields,
      },
      images: listOf(row.cell('Images')).map((address) => ({ address })),
      categories: listOf(row.cell('Categories')).flatMap(categoryPath),
      oldAddresses: slug === '' ? [] : [`/product/${slug}`],
      leftOut:
        rows.length === 0 ? 'None of its variations in this file is for sale' : leftOutOf(row),
      unplaced: [
        ...hsn.unplaced,
        ...described.flatMap((heading): SourceProduct['unplaced'][number][] =>
          row.cell(heading).trim() === ''
            ? []
            : [[heading, 'An attribute of a product without variations']],
        ),
      ],
    },
    rows.map((one) => ({
      options: variations.length === 0 ? [] : optionsOf(one),
      ...salePrices(
        {
          regular: one.cell('Regular price'),
          sale: one.cell('Sale price'),
          begins: one.cell('Date sale price starts'),
          ends: one.cell('Date sale price ends'),
        },
        now,
      ),
      stock: stockOf(one),
    })),
  );
}

/** WooCommerce: *Products*, *Export*. */
export const wooCommerce: Source = {
  name: 'WooCommerce',
  isSourceOf: ({ has }) =>
    ['Type', 'SKU', 'Name', 'Published', 'Regular price', 'Categories'].every((name) => has(name)),
  read: ({ headings, rows }, now) => {
    const parent = (row: TableRow): string => row.cell('Parent').trim();
    const variations = rows.filter((row) => isOf(row, 'variation'));
    const byParent = new Map(
      groupRows(variations, parent).map((group) => [parent(group[0]), group]),
    );
    const products = rows.filter((row) => !isOf(row, 'variation'));
    const known = new Set(products.flatMap(names));
    return [
      ...products.map((row) =>
        readProduct(
          row,
          { headings },
          now,
          names(row).flatMap((name) => byParent.get(name) ?? []),
        ),
      ),
      ...variations
        .filter((row) => !known.has(parent(row)))
        .map((row) => ({
          ...readProduct(row, { headings }, now),
          leftOut: 'The row of its product is not in this file: export both together',
        })),
    ];
  },
};
