import type { TableRow } from '#domain/admin/table-file.ts';
import {
  productOf,
  rowsWithout,
  salePrices,
  type Source,
  type SourceProduct,
  type Variant,
} from './source.ts';

/*
 * The product export of Magento and Adobe Commerce (experienceleague.adobe.com, "Product data attributes reference", and public files,
 * read on 29 November 2026). A product with choices names the SKUs of its variants in "configurable_variations":
 * "sku=A,size=12|sku=B,size=14"; each of them is a row of its own. Rows with a store view are translations. Images are paths below
 * /media/catalog/product of the other shop, and an address is the "url_key", with ".html" unless the shop has turned it off.
 */

const listOf = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
const sku = (row: TableRow): string => row.cell('sku').trim();
const typeOf = (row: TableRow): string => row.cell('product_type').trim().toLowerCase();
const isNo = (text: string): boolean => /^0(?:\.0*)?$/u.test(text.trim());

const leftOutTypes: Readonly<Record<string, string>> = {
  grouped: 'This is a group of other products',
  bundle: 'This is put together of other products',
  virtual: 'This is not sent in a parcel',
  downloadable: 'This is not sent in a parcel',
  giftcard: 'This is a gift card',
};

/** The SKUs of a product's variants, with the values of their choices. */
const variationsOf = (row: TableRow): { sku: string; options: string[] }[] =>
  listOf(row.cell('configurable_variations'), /\|/u).map((text) => {
    const pairs = listOf(text, /,(?=[\w ]+=)/u).map((pair) => pair.split('='));
    return {
      sku: pairs.find(([name]) => name?.trim() === 'sku')?.[1]?.trim() ?? '',
      options: pairs.flatMap(([name, value]) =>
        name?.trim() === 'sku' ? [] : (value ?? '').trim(),
      ),
    };
  });

/** Null where Magento does not count; nought where it is out of stock although it has units. */
function stockOf(row: TableRow): string | null {
  if (isNo(row.cell('is_in_stock'))) return '0';
  const isCounted =
    !isNo(row.cell('manage_stock')) || row.cell('use_config_manage_stock').trim().startsWith('1');
  return isCounted ? row.cell('qty') : null;
}

const variantOf = (row: TableRow, options: readonly string[], now: Date): Variant => ({
  options,
  ...salePrices(
    {
      regular: row.cell('price'),
      sale: row.cell('special_price'),
      begins: row.cell('special_price_from_date'),
      ends: row.cell('special_price_to_date'),
    },
    now,
  ),
  stock: stockOf(row),
});

/** The images of a row: the first, then the others. */
const imagesOf = (row: TableRow): string[] =>
  [row.cell('base_image'), ...listOf(row.cell('additional_images'), /,/u)]
    .map((path) => path.trim())
    .filter((path) => path !== '' && path !== 'no_selection')
    .map((path) => (/^(?:https?:)?\/\//iu.test(path) || path.startsWith('/') ? path : `/${path}`));

/** 'Default Category/Jewellery/Rings': the most particular name first. */
const categoriesOf = (row: TableRow): string[] =>
  listOf(row.cell('categories'), /[,|]/u)
    .flatMap((path) => listOf(path, /\//u).reverse())
    .filter((name) => !/^default(?: category)?$/iu.test(name));

function readProduct(
  row: TableRow,
  bySku: ReadonlyMap<string, TableRow>,
  now: Date,
): SourceProduct {
  const variations = variationsOf(row).map((one) => ({ ...one, row: bySku.get(one.sku) }));
  const missing = variations.filter((one) => one.row === undefined).length;
  const children = variations.flatMap((one) =>
    one.row === undefined ? [] : [variantOf(one.row, one.options, now)],
  );
  const urlKey = row.cell('url_key').trim();
  const images = [row, ...variations.flatMap((one) => one.row ?? [])].flatMap(imagesOf);
  const isShown = (text: string): boolean => !/^not visible/iu.test(text.trim());
  const leftOut = new Map(Object.entries(leftOutTypes)).get(typeOf(row)) ?? null;
  return productOf(
    {
      row: row.row,
      key: sku(row),
      name: row.cell('name'),
      fields: {
        name: row.cell('name'),
        description: row.cell('description').trim() || row.cell('short_description'),
        hidden:
          /^(?:1|yes|)$/iu.test(row.cell('product_online').trim()) &&
          isShown(row.cell('visibility'))
            ? 'yes'
            : 'no',
        ...(row.cell('country_of_manufacture').trim() !== '' && {
          origin: row.cell('country_of_manufacture'),
        }),
      },
      images: [...new Set(images)].map((address) => ({ address })),
      categories: categoriesOf(row),
      oldAddresses: urlKey === '' ? [] : [`/${urlKey}.html`, `/${urlKey}`],
      leftOut:
        leftOut ??
        (typeOf(row) === 'configurable' && children.length === 0
          ? 'The rows of its variants are not in this file: export them together'
          : null),
      unplaced: Array.from({ length: missing }, () => [
        'configurable_variations',
        'The row of this variant is not in the file',
      ]),
    },
    children.length === 0 ? [variantOf(row, [], now)] : children,
  );
}

/** Magento and Adobe Commerce: *System*, *Data Transfer*, *Export*, *Products*. */
export const magento: Source = {
  name: 'Magento',
  isSourceOf: ({ has }) =>
    ['sku', 'product_type', 'name', 'price'].every((name) => has(name)) &&
    has('categories', 'attribute_set_code', 'product_websites'),
  read: ({ rows }, now) => {
    const own = rows.filter((row) => row.cell('store_view_code').trim() === '');
    const bySku = new Map(own.map((row) => [sku(row), row]));
    const variants = new Set(own.flatMap(variationsOf).map((one) => one.sku));
    const translations = rows.length - own.length;
    const products = own
      .filter((row) => sku(row) !== '' && !variants.has(sku(row)))
      .map((row, at) => {
        const product = readProduct(row, bySku, now);
        return at > 0
          ? product
          : {
              ...product,
              unplaced: [
                ...product.unplaced,
                ...Array.from({ length: translations }, (): [string, string] => [
                  'store_view_code',
                  'A text of another store view',
                ]),
              ],
            };
      });
    return [...products, ...rowsWithout(own, sku, 'sku')];
  },
};
