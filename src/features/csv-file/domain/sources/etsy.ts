import type { TableRow } from '../../../../domain/admin/table-file.ts';
import { fromVariants, type Source, type SourceProduct } from './source.ts';

/*
 * Etsy's file of "Currently for sale listings" (Settings, Options, Download Data). Etsy documents no column; these are in public
 * programs that read it, seen on 28 November 2026. A listing is a row: its choices are named, but their stock is told in all.
 */

const rupees = new Set(['', 'INR']);

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
  const currency = row.cell('CURRENCY_CODE').trim().toUpperCase();
  const price = row.cell('PRICE');
  const quantity = row.cell('QUANTITY');
  const { fields, ...variant } = fromVariants(
    (options.length === 0 ? [[]] : options).map((chosen) => ({
      options: chosen,
      price,
      before: '',
      stock: options.length < 2 ? quantity : null,
    })),
  );
  return {
    row: row.row,
    key: row.cell('SKU').trim() || row.cell('TITLE').trim(),
    name: row.cell('TITLE'),
    fields: {
      ...fields,
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
    categories: [],
    ...variant,
    oldAddresses: [],
    leftOut: rupees.has(currency) ? null : `Its price is in ${currency}, not in rupees`,
  };
}

/** Etsy: *Settings*, *Options*, *Download data*. */
export const etsy: Source = {
  name: 'Etsy',
  isSourceOf: ({ has }) =>
    ['TITLE', 'CURRENCY_CODE', 'QUANTITY', 'IMAGE1'].every((name) => has(name)),
  read: ({ rows }) => rows.map(readListing),
};
