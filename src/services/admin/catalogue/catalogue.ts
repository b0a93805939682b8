import {
  type AdminProduct,
  type ExpectedRevision,
  type ProductInput,
} from '../../../domain/admin/products/product-input.ts';
import { csvFileApi, severalProductsApi } from '../../../domain/admin/products/products-api.ts';
import { addressOf, callAdmin, readConflict } from '../api.ts';

/** The address of a part of the catalogue as a CSV file, a thousand products each; the first is 1. */
export const catalogueExport = (part: number): string =>
  addressOf('/api/admin/catalogue/export', { query: { part: String(part) } });

/** So many that their answer stays below the six megabytes of a function, however long their descriptions are. */
const comparedAtOnce = 400;

/** The stored products under ids, deleted ones too, and under names, each product once. Throws AdminError. */
export async function fetchCompared({
  ids,
  names,
}: {
  ids: readonly string[];
  names: readonly string[];
}): Promise<AdminProduct[]> {
  const found = new Map<string, AdminProduct>();
  for (let at = 0; at < Math.max(ids.length, names.length); at += comparedAtOnce) {
    const part = {
      ids: ids.slice(at, at + comparedAtOnce),
      names: names.slice(at, at + comparedAtOnce),
    };
    const { products } = await callAdmin(csvFileApi.compare, { body: part });
    for (const product of products) found.set(product.id, product);
  }
  return [...found.values()];
}

/** A product to save: `seen` is the revision that it was changed from, null for a new one. */
export interface ProductToSave {
  id: string;
  product: ProductInput;
  seen: ExpectedRevision | null;
}

/** Saves all of them or none. Throws AdminError; `refusedOf` has the reasons. */
export async function saveProducts(rows: readonly ProductToSave[]): Promise<void> {
  const body = { rows: rows.map(({ id, product, seen }) => ({ id, product, seen })) };
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
