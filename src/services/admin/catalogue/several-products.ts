import type { ExpectedRevision, ProductInput } from '#domain/admin/products/product-input.ts';
import {
  productsAtOnce,
  severalProductsApi,
  tooManyWords,
} from '#domain/admin/products/products-api.ts';
import { AdminError } from '#services/admin/admin-error.ts';
import { callAdmin, readConflict } from '#services/admin/api.ts';

/** A product to save: `seen` is the revision that it was changed from, null for a new one. */
export interface ProductToSave {
  id: string;
  product: ProductInput;
  seen: ExpectedRevision | null;
}

/** Saves all of them or none. Throws AdminError; `refusedOf` has the reasons. */
export async function saveProducts(rows: readonly ProductToSave[]): Promise<void> {
  const body = { rows: rows.map(({ id, product, seen }) => ({ id, product, seen })) };
  const bytes = new TextEncoder().encode(JSON.stringify(body)).length;
  const fitting = Math.floor((rows.length * productsAtOnce.bytes) / bytes);
  const most = Math.min(productsAtOnce.count, fitting);
  // The platform refuses a larger body before the shop can say why.
  if (rows.length > most) throw new AdminError(tooManyWords(most), 413, 'too_large');
  await callAdmin(severalProductsApi.save, { body });
}

const whys = {
  changed: 'was changed elsewhere',
  deleted: 'was deleted',
  stock: 'was sold or restocked',
} as const;

/** Which products had moved on when nothing was saved for it, as sentences; null for another failure. */
export const refusedOf = (error: unknown): string[] | null =>
  readConflict(severalProductsApi.save, error)?.refused.map(
    ({ name, why }) => `${name} ${whys[why]}.`,
  ) ?? null;
