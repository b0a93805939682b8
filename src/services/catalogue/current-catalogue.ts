import { offeredFromRow, productColumns } from '#domain/catalogue/product-row.ts';
import type { Product } from '#domain/catalogue/product.ts';
import { fetchRows } from './current-stock.ts';

/**
 * The current rows of these products. Ids that no longer exist are absent from the answer; unreadable rows, and products that
 * the shop does not offer, are left out. Throws when the database cannot be reached, so that callers stay with what they have.
 */
export const fetchCurrentProducts = async (ids: readonly string[]): Promise<Product[]> =>
  (await fetchRows(ids, productColumns, offeredFromRow)).filter((product) => product !== null);
