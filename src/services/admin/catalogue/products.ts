import {
  type AdminProduct,
  type productShows,
  type productSorts,
} from '#domain/admin/products/product-input.ts';
import { productsApi } from '#domain/admin/products/products-api.ts';
import type { Category } from '#domain/catalogue/category.ts';
import { callAdmin } from '#services/admin/api.ts';

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
    const parameters = {
      ...(query.q.trim() === '' ? {} : { q: query.q.trim() }),
      ...(query.category === 'all' ? {} : { category: query.category }),
      stock: query.stock,
      show: query.show,
      sort: query.sort,
      offset: String(offset + products.length),
      limit: String(Math.min(100, count - products.length)),
    };
    const page = await callAdmin(productsApi.list, { query: parameters, signal });
    products.push(...page.products);
    total = page.total;
    if (page.products.length === 0) break;
  } while (products.length < count && offset + products.length < total);
  return { products, total };
}
