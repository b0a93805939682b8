import * as z from 'zod/mini';
import type {
  AdminProduct,
  ProductInput,
  ExpectedRevision,
} from '#domain/admin/products/product-input.ts';
import { productFromRow } from '#domain/catalogue/product-row.ts';
import { shop } from '#settings/shop.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

/** Columns that only the admin sees. */
const ownSchema = z.object({
  hidden: z.boolean(),
  deleted_at: z.nullable(z.string()),
  change_version: z.nullable(z.int()),
});

/**
 * A product as the admin endpoints return it; `deployedVersion` is the version of the catalogue that the built pages show.
 *
 * @public
 */
export function toAdminProduct(row: unknown, deployedVersion: number): AdminProduct {
  const { attributes, ...product } = productFromRow(row);
  const { hidden, deleted_at: deletedAt, change_version } = ownSchema.parse(row);
  return {
    ...product,
    attributes: { ...attributes },
    hidden,
    deletedAt,
    unpublished: (change_version ?? 0) > deployedVersion,
  };
}

/** The admin's query. */
export interface ProductQuery {
  search: string;
  category: string | null;
  stock: 'all' | 'low' | 'out';
  show: 'all' | 'visible' | 'hidden' | 'deleted';
  sort: 'newest' | 'name' | 'price' | 'stock';
  offset: number;
  limit: number;
}

/** A page of the catalogue, and how many products match. */
export async function listProducts(
  query: ProductQuery,
  deployedVersion: Promise<number>,
): Promise<{ products: AdminProduct[]; total: number }> {
  const args = {
    p_search: query.search,
    p_category: query.category,
    p_stock: query.stock,
    p_show: query.show,
    p_low_stock_below: shop.limits.lowStockBelow,
    p_sort: query.sort,
    p_offset: query.offset,
    p_limit: query.limit,
  };
  const schema = z.object({ products: z.array(z.unknown()), total: z.int() });
  const [{ products, total }, version] = await Promise.all([
    callFunction('admin_products', args, schema),
    deployedVersion,
  ]);
  return { products: products.map((row) => toAdminProduct(row, version)), total };
}

/** One 404 for every unknown id. */
export const noProduct = (): HttpError =>
  new HttpError(404, 'not_found', 'This product is no longer in the catalogue.');

/** One product. Throws 404. */
export async function readProduct(
  id: string,
  deployedVersion: Promise<number>,
): Promise<AdminProduct> {
  const [row, version] = await Promise.all([
    callFunction('admin_product', { p_id: id }, z.unknown()),
    deployedVersion,
  ]);
  if (row === null || row === undefined) throw noProduct();
  return toAdminProduct(row, version);
}

/** What SQL `insert_product` answers. */
export const insertOutcomes = ['created', 'exists', 'deleted'] as const;

/**
 * Puts a product in under an id of the page's own. `created` is false when it was there already: it stays as it is. Throws
 * 404 when it was deleted since.
 */
export async function insertProduct(
  id: string,
  product: ProductInput,
  deployedVersion: Promise<number>,
): Promise<{ created: boolean; product: AdminProduct }> {
  const schema = z.object({
    outcome: z.enum(insertOutcomes),
    product: z.unknown(),
  });
  const [answer, version] = await Promise.all([
    callFunction('insert_product', { p_id: id, p_product: product }, schema),
    deployedVersion,
  ]);
  if (answer.outcome === 'deleted') throw noProduct();
  return {
    created: answer.outcome === 'created',
    product: toAdminProduct(answer.product, version),
  };
}

/** The answer of SQL `save_product`. */
export const savedSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('saved'), product: z.unknown(), visibility_changed: z.boolean() }),
  z.object({ outcome: z.literal('missing') }),
  z.object({
    outcome: z.literal('changed'),
    product: z.unknown(),
    fields_changed: z.boolean(),
    stock_changed: z.boolean(),
  }),
]);

/**
 * Saves an edit. Throws 404 when the product is gone, 409 `changed` with the product as it is `current`ly when it has
 * moved on since the form read it: then nothing was written.
 */
export async function saveProduct(
  id: string,
  product: ProductInput,
  expectedRevision: ExpectedRevision,
  deployedVersion: Promise<number>,
): Promise<{ product: AdminProduct; visibilityChanged: boolean }> {
  const args = { p_id: id, p_product: product, p_expected: expectedRevision };
  const [answer, version] = await Promise.all([
    callFunction('save_product', args, savedSchema),
    deployedVersion,
  ]);
  if (answer.outcome === 'missing') throw noProduct();
  const stored = toAdminProduct(answer.product, version);
  if (answer.outcome === 'saved')
    return { product: stored, visibilityChanged: answer.visibility_changed };
  const { fields_changed, stock_changed } = answer;
  const sentence = fields_changed
    ? 'This product was changed elsewhere while you were editing it. Nothing was saved yet.'
    : 'The stock changed while you were editing, probably through a sale. Nothing was saved yet.';
  throw new HttpError(409, 'changed', sentence, { current: stored, fields_changed, stock_changed });
}

/** Takes a product out of the catalogue; orders keep theirs, and it can be brought back for 30 days. True when it was there. */
export async function deleteProduct(id: string): Promise<boolean> {
  return callFunction('delete_product', { p_id: id }, z.boolean());
}

/** Brings a deleted product back; one that is there already stays as it is. Throws 404 when it is gone for good. */
export async function restoreProduct(
  id: string,
  deployedVersion: Promise<number>,
): Promise<AdminProduct> {
  const [row, version] = await Promise.all([
    callFunction('restore_product', { p_id: id }, z.unknown()),
    deployedVersion,
  ]);
  if (row === null || row === undefined) throw noProduct();
  return toAdminProduct(row, version);
}

/** Ends products for good that were deleted 30 days ago; how many. */
export async function endDeletedProducts(limit: number): Promise<number> {
  return callFunction('end_deleted_products', { p_limit: limit }, z.int());
}
