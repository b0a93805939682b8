import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { addressOf, callAdmin } from '#services/admin/api.ts';
import { csvFileApi } from './domain/csv-file-api.ts';

/** The address of a part of the catalogue as a CSV file, a thousand products each; the first is 1. */
export const catalogueExport = (part: number): string =>
  addressOf('/api/admin/catalogue/export', { query: { part: String(part) } });

/** Products per request: their answer stays below the six megabytes of a function, however long their descriptions are. */
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
