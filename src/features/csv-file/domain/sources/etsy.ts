import type { TableRow } from '#domain/admin/table-file.ts';
import { moneyOf } from '#features/csv-file/domain/foreign-money.ts';
import { productOf, type Source, type SourceProduct } from './source.ts';

/*
 * Etsy's file of "Currently for sale listings" (Settings, Options, Download Data). Etsy documents no column; these are in public
 * programs that read it, seen on 28 November 2026. A listing is a row: its choices are named, but their stock is told in all.
 */

function readListing(row: TableRow): SourceProduct {
  const values = [1, 2].map((at) =>
    row
      .cell(`VARIATION ${String(at)} VALUES`)
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  );
  const [first = [], second = []] = values;
  const options =
    second.length === 0
      ? first.map((one) => [one])
      : first.flatMap((one) => second.map((other) => [one, other]));
  const price = row.cell('PRICE');
  const quantity = row.cell('QUANTITY');
  return productOf(
    {
      row: row.row,
      key: row.cell('SKU').trim() || row.cell('TITLE').trim(),
      name: row.cell('TITLE'),
      fields: {
        name: row.cell('TITLE'),
        description: row.cell('DESCRIPTION'),
        metal: row
          .cell('MATERIALS')
          .split(',')
          .map((part) => part.trim())
          .join(', '),
      },
      images: Array.from({ length: 10 }, (_, at) => ({
        address: row.cell(`IMAGE${String(at + 1)}`),
      })).filter(({ address }) => address !== ''),
      currency: moneyOf(row.cell('CURRENCY_CODE').toUpperCase()).currency,
    },
    (options.length === 0 ? [[]] : options).map((chosen) => ({
      options: chosen,
      price,
      before: '',
      stock: options.length < 2 ? quantity : null,
    })),
  );
}

/** Titles and SKUs are what a seller types, and two listings may have the same: each is a product. */
function withOwnKeys(products: readonly SourceProduct[]): SourceProduct[] {
  const seen = new Map<string, number>();
  return products.map((product) => {
    const key = product.key ?? '';
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    return nth === 1 ? product : { ...product, key: `${key} (${String(nth)})` };
  });
}

/** Etsy: *Settings*, *Options*, *Download data*. */
export const etsy: Source = {
  name: 'Etsy',
  isSourceOf: ({ has }) =>
    ['TITLE', 'CURRENCY_CODE', 'QUANTITY', 'IMAGE1'].every((name) => has(name)),
  read: ({ rows }) => withOwnKeys(rows.map(readListing)),
};
