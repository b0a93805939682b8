import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { queryClient, refetch } from './fetching/query-client.ts';

/** The key that everything about products begins with: each edit made here refetches it. */
export const catalogueKey = ['catalogue'];
/** The key that the lists of products begin with. */
export const productsKey = [...catalogueKey, 'products'];

/** Rows of a list of products, and how many products match. */
export interface ProductRows {
  products: readonly AdminProduct[];
  total: number;
}

/** A change of one product made on this page: the stored product, or its deletion. */
export type CatalogueEdit = { saved: AdminProduct } | { deleted: string };

function withEdit(rows: ProductRows, edit: CatalogueEdit): ProductRows {
  if ('saved' in edit) {
    const { saved } = edit;
    return {
      ...rows,
      products: rows.products.map((product) => (product.id === saved.id ? saved : product)),
    };
  }
  const products = rows.products.filter(({ id }) => id !== edit.deleted);
  return { products, total: rows.total - (rows.products.length - products.length) };
}

/** Call after every saved change of the catalogue. The rows show an edit at once; then they and the state of publishing are refetched. */
export function catalogueEdited(edit: CatalogueEdit | null = null): void {
  if (edit)
    queryClient.setQueriesData<ProductRows>(
      { queryKey: productsKey },
      (rows) => rows && withEdit(rows, edit),
    );
  refetch(catalogueKey);
}
