import { idsAndNames, planImport, type ImportPlan } from './domain/import-plan.ts';
import {
  productFileLimits,
  productsOf,
  sourceOf,
  type ReadingChoices,
} from './domain/read-products.ts';
import { AdminError } from '#services/admin/admin-error.ts';
import type { SourceProduct } from './domain/sources/source.ts';
import type { FileRow } from './domain/catalogue-csv.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import type { TableFile } from '#domain/admin/table-file.ts';
import { fetchCompared } from './catalogue-file.ts';
import type { ImportImages } from './import-images.ts';

/**
 * The id of a product that comes from another shop: always the same for what identifies it there, so that a file that is imported twice
 * adds it once. A UUID of version 8 (RFC 9562) from a SHA-256.
 */
async function idOfKey(source: string | null, key: string): Promise<string> {
  const text = new TextEncoder().encode(`${source ?? 'list'}\n${key}`);
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', text)).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}

/** A file that was read, with what is stored of it. The ids of its new products stay, so that saving twice adds them once. */
export interface Compared extends ReadingChoices {
  name: string;
  table: TableFile;
  products: SourceProduct[];
  stored: AdminProduct[];
  ids: Map<string, string>;
}

/** Whether the file says which products it is about. */
export const isNamed = ({ table, mapping }: Compared): boolean =>
  sourceOf(table) !== null ||
  Object.values(mapping).some((label) => label === 'Name' || label === 'ID');
/** What tells the products of a file apart. */
const nameOf = ({ key, row }: Pick<SourceProduct, 'key' | 'row'>): string =>
  key ?? `row ${String(row)}`;
const newIdOf =
  (ids: ReadonlyMap<string, string>) =>
  (product: Pick<SourceProduct, 'key' | 'row'>): string =>
    ids.get(nameOf(product)) ?? '';
/** `time` counts from 2 for a product that was brought over and then deleted. */
const idOf = async (source: string | null, { key }: SourceProduct, time = 1): Promise<string> =>
  key === null
    ? crypto.randomUUID()
    : idOfKey(source, time === 1 ? key : `${key}\n${String(time)}`);
/** The effect of its rows on what is stored. */
export const planOf = (
  { stored, ids }: Compared,
  rows: readonly FileRow[],
  { entryOf }: ImportImages,
): ImportPlan => planImport(rows, { stored, entryOf, newId: newIdOf(ids) });

/** Compares a file with what is stored. Ids of `ids` stay; those that are missing are added. Throws AdminError, also for too many products. */
export async function compareFile({
  name,
  table,
  mapping,
  isSplit,
  ids,
}: Omit<Compared, 'products' | 'stored'>): Promise<Compared> {
  const products = productsOf(table, { mapping, isSplit });
  if (products.length > productFileLimits.products)
    throw new AdminError(
      `These are ${products.length.toLocaleString('en-IN')} products, and at most ${productFileLimits.products.toLocaleString('en-IN')} can be imported at once. Please make several files of it.`,
      0,
      'unusable',
    );
  for (const product of products)
    if (!ids.has(nameOf(product))) ids.set(nameOf(product), await idOf(sourceOf(table), product));
  let stored = await fetchCompared(idsAndNames(products, newIdOf(ids)));
  // A product that was brought over and then deleted comes in anew, and once for each time it was deleted.
  for (let time = 2; ; time += 1) {
    const deleted = new Set(stored.flatMap(({ id, deletedAt }) => (deletedAt === null ? [] : id)));
    const again = products.filter((product) => deleted.has(ids.get(nameOf(product)) ?? ''));
    if (again.length === 0) break;
    for (const product of again)
      ids.set(nameOf(product), await idOf(sourceOf(table), product, time));
    stored = await fetchCompared(idsAndNames(products, newIdOf(ids)));
  }
  return { name, table, mapping, isSplit, ids, products, stored };
}
