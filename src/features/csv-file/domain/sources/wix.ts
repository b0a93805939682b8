import { paiseFromText, rupeeText } from '#domain/admin/typed-rupees.ts';
import type { TableRow } from '#domain/admin/table-file.ts';
import {
  groupRows,
  productOf,
  rowsWithout,
  type Source,
  type SourceProduct,
  type Variant,
} from './source.ts';

/*
 * The export of Wix Stores. Its older file has "handleId", a price with a surcharge for each variant, and a discount; the newer one has
 * "handle", a price for each variant, and rows for further images (support.wix.com, "Importing Products", and public programs that read
 * both, seen on 29 November 2026). Neither says the address of a product's page, nor the unit of its weight.
 */

const handle = (row: TableRow): string => row.cell('handleId', 'handle').trim();
const isKind = (row: TableRow, kind: string): boolean =>
  row.cell('fieldType').trim().toLowerCase() === kind;
const listOf = (text: string): string[] =>
  text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** 'InStock', 'OUT_OF_STOCK', or the number of units. */
function stockOf(row: TableRow): string | null {
  const text = row.cell('inventory').trim();
  if (/^-?\d/u.test(text)) return text;
  return /out.?of.?stock/iu.test(text) ? '0' : null;
}

/** The values of the choices that a variant is; a colour is written as '#ff0000:Red'. */
const optionsOf = (row: TableRow): string[] =>
  [1, 2, 3, 4, 5, 6]
    .map((at) =>
      row
        .cell(`productOptionDescription${String(at)}`, `productOptionChoices${String(at)}`)
        .trim()
        .replace(/^#[\da-f]{3,8}:/iu, ''),
    )
    .filter((value) => value !== '');

/** The price of the older file: with the surcharge, and less the discount of the product. */
function pricesOf(product: TableRow, variant: TableRow): Pick<Variant, 'price' | 'before'> {
  const price = variant.cell('price').trim() || product.cell('price').trim();
  const struck =
    variant.cell('strikethroughPrice').trim() || product.cell('strikethroughPrice').trim();
  const [base, surcharge] = [price, variant.cell('surcharge').trim() || '0'].map(paiseFromText);
  if (base === null || base === undefined || surcharge === null || surcharge === undefined)
    return { price, before: struck };
  const full = base + surcharge;
  const discount = Number(product.cell('discountValue').trim() || '0');
  const less =
    product.cell('discountMode').trim().toUpperCase() === 'PERCENT'
      ? Math.round((full * discount) / 100)
      : Math.round(discount * 100);
  return less > 0 && less < full
    ? { price: rupeeText(full - less), before: rupeeText(full) }
    : { price: rupeeText(full), before: struck };
}

function readProduct(rows: [TableRow, ...TableRow[]]): SourceProduct {
  const product = rows.find((row) => isKind(row, 'product')) ?? rows[0];
  const variants = rows.filter((row) => isKind(row, 'variant'));
  const images = rows.flatMap((row) => listOf(row.cell('productImageUrl', 'media')));
  return productOf(
    {
      row: product.row,
      key: handle(product),
      name: product.cell('name'),
      fields: {
        name: product.cell('name'),
        description: product.cell('description', 'plainDescription'),
        hidden: /^(?:false|0|no)$/iu.test(product.cell('visible').trim()) ? 'no' : 'yes',
      },
      images: images.map((name) => ({
        address: /^(?:https?:)?\/\//iu.test(name)
          ? name
          : `https://static.wixstatic.com/media/${name}`,
      })),
      categories: listOf(product.cell('collection', 'categories')),
    },
    (variants.length === 0 ? [product] : variants).map((row) => ({
      options: variants.length === 0 ? [] : optionsOf(row),
      ...pricesOf(product, row),
      stock: stockOf(row),
    })),
  );
}

/** Wix: *Store Products*, *More Actions*, *Export*. */
export const wix: Source = {
  name: 'Wix',
  isSourceOf: ({ has }) =>
    has('handleId', 'handle') && has('fieldType') && has('name') && has('inventory', 'visible'),
  read: ({ rows }) => [
    ...groupRows(
      rows.filter((row) => handle(row) !== ''),
      handle,
    ).map(readProduct),
    ...rowsWithout(rows, handle, 'handleId'),
  ],
};
