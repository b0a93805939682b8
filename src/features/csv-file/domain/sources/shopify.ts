import type { TableFile, TableRow } from '#domain/admin/table-file.ts';
import {
  categoryPath,
  groupRows,
  hsnOf,
  productOf,
  rowsWithout,
  type Source,
  type SourceProduct,
} from './source.ts';

/*
 * Shopify's product export. Its headings have two spellings: those of today ("URL handle", Shopify's sample file and
 * help.shopify.com/en/manual/products/import-export/using-csv, read on 28 November 2026) and those before ("Handle"). A product is
 * the rows of one handle: the first describes it, each may add a variant and an image.
 */

const handle = (row: TableRow): string => row.cell('URL handle', 'Handle').trim();
const isYes = (text: string): boolean => /^(?:true|yes|1)$/iu.test(text.trim());

/** A product without a choice has one option "Title" with the value "Default Title". */
const optionsOf = (row: TableRow): string[] =>
  [1, 2, 3]
    .map((at) => row.cell(`Option${String(at)} value`))
    .filter((value) => value.trim() !== '' && value.trim().toLowerCase() !== 'default title');

/** Shopify does not count a variant without a tracker; and a shop with several places has its quantities in another file. */
function stockOf(row: TableRow, has: TableFile['has']): string | null {
  const tracker = ['Inventory tracker', 'Variant Inventory Tracker'];
  const quantity = ['Inventory quantity', 'Variant Inventory Qty'];
  const isCounted = !has(...tracker) || row.cell(...tracker).trim() !== '';
  return isCounted && has(...quantity) ? row.cell(...quantity) : null;
}

function readProduct(rows: [TableRow, ...TableRow[]], { has, headings }: TableFile): SourceProduct {
  const [first] = rows;
  const given = (...headings: string[]): string =>
    rows.map((row) => row.cell(...headings).trim()).find((text) => text !== '') ?? '';
  const price = (row: TableRow): string => row.cell('Price', 'Variant Price');
  // The other rows have an image alone.
  const variants = rows.filter((row) => price(row).trim() !== '' || optionsOf(row).length > 0);
  const published = given('Published on online store', 'Published');
  const status = given('Status').toLowerCase();
  const position = (row: TableRow): number => Number(row.cell('Image position')) || 1_000;
  const address = (row: TableRow): string => row.cell('Product image URL', 'Image Src').trim();
  const grams = Number(given('Weight value (grams)', 'Variant Grams'));
  const hsn = hsnOf(rows, headings);
  return productOf(
    {
      row: first.row,
      key: handle(first),
      name: given('Title'),
      fields: {
        name: given('Title'),
        description: given('Description', 'Body (HTML)'),
        hidden:
          (status === '' || status === 'active') && (published === '' || isYes(published))
            ? 'yes'
            : 'no',
        ...(grams > 0 && { weight_g: String(grams) }),
        ...hsn.fields,
      },
      images: rows
        .filter((row) => address(row) !== '')
        .sort((a, b) => position(a) - position(b))
        .map((row) => ({ address: address(row), alt: row.cell('Image alt text') })),
      categories: [given('Type'), ...categoryPath(given('Product category'))].filter(
        (name) => name !== '',
      ),
      unplaced: hsn.unplaced,
      oldAddresses: [`/products/${handle(first)}`],
      leftOut: isYes(given('Gift card')) ? 'This is a gift card' : null,
    },
    variants.map((row) => ({
      options: optionsOf(row),
      price: price(row),
      before: row.cell('Compare-at price', 'Variant Compare At Price'),
      stock: stockOf(row, has),
    })),
  );
}

/** Shopify: *Products*, *Export*. */
export const shopify: Source = {
  name: 'Shopify',
  isSourceOf: ({ has }) =>
    has('URL handle', 'Handle') && has('Title') && has('Variant Price', 'Price'),
  read: (table) => [
    ...groupRows(
      table.rows.filter((row) => handle(row) !== ''),
      handle,
    ).map((rows) => readProduct(rows, table)),
    ...rowsWithout(table.rows, handle, 'URL handle'),
  ],
};
