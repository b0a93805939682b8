import * as z from 'zod/mini';
import { productColumns, productFromRow } from '#domain/catalogue/product-row.ts';
import { isOffered } from '#domain/catalogue/category.ts';
import type { Product } from '#domain/catalogue/product.ts';
import { database, readRows } from '#core/platform/database.ts';

const pageLength = 1_000;

/** Every product that the shop shows, by id, as it is now. Throws HttpError 503 when the database cannot be reached. */
export async function listShownProducts(): Promise<Product[]> {
  const products: Product[] = [];
  for (;;) {
    const shown = database()
      .from('products')
      .select(productColumns)
      .eq('hidden', false)
      .is('deleted_at', null)
      .order('id')
      .limit(pageLength);
    const last = products.at(-1);
    const rows = await readRows(
      'stock feed',
      last === undefined ? shown : shown.gt('id', last.id),
      z.array(z.unknown()),
    );
    // A project may return fewer rows than requested (its `max_rows`), so only an empty page is the last.
    if (rows.length === 0) return products.filter(isOffered);
    products.push(...rows.map(productFromRow));
  }
}
