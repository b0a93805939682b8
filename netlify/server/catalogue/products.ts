import * as z from 'zod/mini';
import type { AdminProduct, ProductInput, ExpectedRevision } from '../../../src/domain/admin/product-input.ts';
import { productFromRow } from '../../../src/domain/catalogue/product.ts';
import { shop } from '../../../src/shop.config.ts';
import { callFunction } from '../platform/database.ts';
import { HttpError } from '../platform/http-error.ts';

const versionSchema = z.object({ change_version: z.nullable(z.int()) });

/** A product as the admin endpoints return it; `live` is the version of the catalogue that the built pages show. */
function toAdminProduct(row: unknown, live: number): AdminProduct {
  const { attributes, ...product } = productFromRow(row);
  const changed = versionSchema.parse(row).change_version ?? 0;
  return { ...product, attributes: { ...attributes }, unpublished: changed > live };
}

/** What the admin asked to see. */
export interface ProductQuery {
  search: string;
  category: string | null;
  stock: 'all' | 'low' | 'out';
  sort: 'newest' | 'name' | 'price' | 'stock';
  offset: number;
  limit: number;
}

/** A page of the catalogue, and how many products match. */
export async function listProducts(query: ProductQuery, live: Promise<number>): Promise<{ products: AdminProduct[]; total: number }> {
  const args = {
    p_search: query.search,
    p_category: query.category,
    p_stock: query.stock,
    p_low_stock_below: shop.limits.lowStockBelow,
    p_sort: query.sort,
    p_offset: query.offset,
    p_limit: query.limit,
  };
  const schema = z.object({ products: z.array(z.unknown()), total: z.int() });
  const [{ products, total }, version] = await Promise.all([callFunction('admin_products', args, schema), live]);
  return { products: products.map((row) => toAdminProduct(row, version)), total };
}

/** The same response whatever the id was. */
export const noProduct = (): HttpError => new HttpError(404, 'not_found', 'This piece is no longer in the catalogue.');

/** One product. Throws 404. */
export async function readProduct(id: string, live: Promise<number>): Promise<AdminProduct> {
  const [row, version] = await Promise.all([callFunction('admin_product', { p_id: id }, z.unknown()), live]);
  if (row === null || row === undefined) throw noProduct();
  return toAdminProduct(row, version);
}

/** Puts a product in under an id of the page's own. `created` is false when it was there already: it stays as it is. */
export async function insertProduct(
  id: string,
  product: ProductInput,
  live: Promise<number>,
): Promise<{ created: boolean; product: AdminProduct }> {
  const schema = z.object({ outcome: z.enum(['created', 'exists']), product: z.unknown() });
  const [answer, version] = await Promise.all([callFunction('insert_product', { p_id: id, p_product: product }, schema), live]);
  return { created: answer.outcome === 'created', product: toAdminProduct(answer.product, version) };
}

const savedSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('saved'), product: z.unknown() }),
  z.object({ outcome: z.literal('missing') }),
  z.object({ outcome: z.literal('changed'), product: z.unknown(), fields_changed: z.boolean(), stock_changed: z.boolean() }),
]);

/**
 * Saves an edit. Throws 404 when the product is gone, 409 `changed` with the product as it is `current`ly when it has
 * moved on since the form read it: then nothing was written.
 */
export async function saveProduct(
  id: string,
  product: ProductInput,
  expectedRevision: ExpectedRevision,
  live: Promise<number>,
): Promise<AdminProduct> {
  const args = { p_id: id, p_product: product, p_seen: expectedRevision };
  const [answer, version] = await Promise.all([callFunction('save_product', args, savedSchema), live]);
  if (answer.outcome === 'missing') throw noProduct();
  const stored = toAdminProduct(answer.product, version);
  if (answer.outcome === 'saved') return stored;
  const { fields_changed, stock_changed } = answer;
  const sentence = fields_changed
    ? 'This piece was changed elsewhere while you were editing it. Nothing was saved yet.'
    : 'The stock moved while you were editing, probably by a sale. Nothing was saved yet.';
  throw new HttpError(409, 'changed', sentence, { current: stored, fields_changed, stock_changed });
}

/** Takes a product out of the catalogue; orders keep theirs. True when it was there. */
export async function deleteProduct(id: string): Promise<boolean> {
  return callFunction('delete_product', { p_id: id }, z.boolean());
}
