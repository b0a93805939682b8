import { isUrl } from '#domain/is-url.ts';
import { moneyOf } from '#features/csv-file/domain/foreign-money.ts';
import type { TableRow } from '#domain/admin/table-file.ts';
import {
  categoryPath,
  groupRows,
  productOf,
  rowsWithout,
  salePrices,
  type Source,
  type SourceProduct,
} from './source.ts';

/*
 * A catalogue of Meta or Google, whose columns are the same: developers.facebook.com/documentation/ads-commerce/catalog/reference
 * (updated 22 April 2026) and support.google.com/merchants/answer/7052112, read on 28 November 2026. A row is a variant; those of one
 * product share their item_group_id. Meta's file may begin with lines of comment.
 */

const id = (row: TableRow): string => row.cell('item_group_id', 'id').trim();
const quantityHeadings = ['quantity_to_sell_on_facebook', 'inventory', 'quantity'];

function stockOf(row: TableRow): string | null {
  const counted = row.cell(...quantityHeadings).trim();
  if (counted !== '') return counted;
  return /out.?of.?stock|sold.?out|discontinued/iu.test(row.cell('availability')) ? '0' : null;
}

function saleOf(row: TableRow): Parameters<typeof salePrices>[0] {
  const [begins = '', ends = ''] = row.cell('sale_price_effective_date').split('/');
  const [regular, sale] = [moneyOf(row.cell('price')), moneyOf(row.cell('sale_price'))];
  return { regular: regular.amount, sale: sale.amount, begins, ends };
}

function readProduct(rows: [TableRow, ...TableRow[]], now: Date): SourceProduct {
  const [first] = rows;
  const money = rows.map((row) => moneyOf(row.cell('price')));
  const currency = money.find((one) => one.currency !== null)?.currency ?? null;
  const variants = rows.map((row) => ({
    options: [row.cell('size'), row.cell('color', 'colour')].filter(
      // What all variants share is no choice.
      (value, at) =>
        value.trim() !== '' &&
        (at === 0 || new Set(rows.map((one) => one.cell('color', 'colour'))).size > 1),
    ),
    ...salePrices(saleOf(row), now),
    stock: stockOf(row),
  }));
  const status = first.cell('status').trim().toLowerCase();
  const visibility = first.cell('visibility').trim().toLowerCase();
  return productOf(
    {
      row: first.row,
      key: id(first),
      name: first.cell('title', 'name'),
      fields: {
        name: first.cell('title', 'name'),
        description: first.cell('description', 'rich_text_description'),
        hidden:
          ['', 'active'].includes(status) && ['', 'published'].includes(visibility) ? 'yes' : 'no',
        ...(first.cell('material').trim() !== '' && { metal: first.cell('material') }),
      },
      images: [
        first.cell('image_link', 'image[0].url'),
        ...first.cell('additional_image_link').split(','),
        first.cell('image[1].url'),
        first.cell('image[2].url'),
      ]
        .filter((address) => address.trim() !== '')
        .map((address) => ({ address: address.trim() })),
      categories: [
        ...categoryPath(first.cell('product_type')),
        ...categoryPath(first.cell('google_product_category', 'fb_product_category')),
      ].filter((name) => !/^\d+$/u.test(name)),
      oldAddresses: rows.flatMap((row) => {
        const link = row.cell('link');
        return isUrl(link) ? new URL(link).pathname : [];
      }),
      currency,
    },
    variants,
  );
}

/** A catalogue of Meta's Commerce Manager or of Google's Merchant Center. */
export const productFeed: Source = {
  name: 'a catalogue of Meta or Google',
  isSourceOf: ({ has }) =>
    ['id', 'title', 'price', 'link'].every((name) => has(name)) &&
    has('image_link', 'image[0].url'),
  read: ({ rows }, now) => [
    ...groupRows(
      rows.filter((row) => id(row) !== ''),
      id,
    ).map((group) => readProduct(group, now)),
    ...rowsWithout(rows, id, 'id'),
  ],
};
