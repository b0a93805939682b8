import * as z from 'zod/mini';
import {
  adminProductSchema,
  adminProductsSchema,
  featuredSchema,
  type AdminProduct,
  type FeaturedProduct,
  type ProductInput,
  type productShows,
  type productSorts,
  type ExpectedRevision,
} from '../../../domain/admin/products/product-input.ts';
import type { Category } from '../../../domain/catalogue/product.ts';
import { adminGet, adminSend } from '../api.ts';
import { AdminError } from '../admin-error.ts';

const path = '/api/admin/products';
const oneSchema = z.object({ product: adminProductSchema });
const currentSchema = z.object({ current: adminProductSchema });

/** The filter and the order of the list. */
export interface ProductQuery {
  q: string;
  /** `all` for no filter. */
  category: Category;
  stock: 'all' | 'low' | 'out';
  show: (typeof productShows)[number];
  sort: (typeof productSorts)[number];
}

/** The query without search and filter. */
export const allProducts: ProductQuery = {
  q: '',
  category: 'all',
  stock: 'all',
  show: 'all',
  sort: 'newest',
};

/** Rows `offset` to `offset + count` of what matches, and how many match. Sends as many requests as the server's limit needs. */
export async function fetchProducts(
  query: ProductQuery,
  { offset, count, signal }: { offset: number; count: number; signal?: AbortSignal },
): Promise<{ products: AdminProduct[]; total: number }> {
  const products: AdminProduct[] = [];
  let total = 0;
  do {
    const params = new URLSearchParams({
      ...(query.q.trim() === '' ? {} : { q: query.q.trim() }),
      ...(query.category === 'all' ? {} : { category: query.category }),
      stock: query.stock,
      show: query.show,
      sort: query.sort,
      offset: String(offset + products.length),
      limit: String(Math.min(100, count - products.length)),
    });
    const page = await adminGet(`${path}?${params.toString()}`, adminProductsSchema, signal);
    products.push(...page.products);
    total = page.total;
    if (page.products.length === 0) break;
  } while (products.length < count && offset + products.length < total);
  return { products, total };
}

export async function addProduct(id: string, product: ProductInput): Promise<AdminProduct> {
  return (await adminSend('POST', path, { id, product }, oneSchema)).product;
}

/** Saves an edit. Throws AdminError; `currentOf` reads a conflict. */
export async function updateProduct(
  id: string,
  product: ProductInput,
  expectedRevision: ExpectedRevision,
): Promise<AdminProduct> {
  return (
    await adminSend(
      'PUT',
      `${path}/${encodeURIComponent(id)}`,
      { product, seen: expectedRevision },
      oneSchema,
    )
  ).product;
}

export async function deleteProduct(id: string): Promise<void> {
  await adminSend(
    'DELETE',
    `${path}/${encodeURIComponent(id)}`,
    {},
    z.object({ deleted: z.boolean() }),
  );
}

/** Brings a deleted product back. Throws AdminError, 404 when it is gone for good. */
export async function restoreProduct(id: string): Promise<AdminProduct> {
  return (await adminSend('POST', `${path}/${encodeURIComponent(id)}/restore`, {}, oneSchema))
    .product;
}

const featuredPath = '/api/admin/featured';

/** The products of the front page, in their order. */
export async function fetchFeatured(signal?: AbortSignal): Promise<FeaturedProduct[]> {
  return (await adminGet(featuredPath, featuredSchema, signal)).featured;
}

/** Chooses the products of the front page. Throws AdminError; `featuredOf` reads what was chosen elsewhere. */
export async function saveFeatured(
  ids: readonly string[],
  seen: readonly string[],
): Promise<FeaturedProduct[]> {
  return (await adminSend('PUT', featuredPath, { ids, seen }, featuredSchema)).featured;
}

/** The choice as it is now, when saving another was refused for it; else null. */
export function featuredOf(error: unknown): FeaturedProduct[] | null {
  const parsed =
    error instanceof AdminError && error.status === 409
      ? featuredSchema.safeParse(error.body)
      : null;
  return parsed?.success ? parsed.data.featured : null;
}

/** The product as it is stored now, when the failure is a conflict; else null. */
export function currentOf(error: unknown): AdminProduct | null {
  if (!(error instanceof AdminError) || error.status !== 409) return null;
  const parsed = currentSchema.safeParse(error.body);
  return parsed.success ? parsed.data.current : null;
}
