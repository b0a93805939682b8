import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import type { AdminProduct } from '../../../../domain/admin/products/product-input.ts';
import { fetchProducts, type ProductQuery } from '../../../../services/admin/catalogue/products.ts';
import {
  $catalogueEdit,
  $catalogueVersion,
  type CatalogueEdit,
} from '../../../../stores/admin-catalogue.ts';
import { showToast } from '../../../../stores/toasts.ts';
import { useLoaded } from '../../shared/use-loaded.ts';
import { shownBefore } from './use-place.ts';

const pageSize = 24;

export interface ProductList {
  products: readonly AdminProduct[];
  /** How many products match; null until the first response. */
  total: number | null;
  loading: boolean;
  /** The rows match an earlier query. False while the same query is refetched. */
  outdated: boolean;
  /** Why the list could not be fetched, as a sentence. */
  problem: string | null;
  more: () => void;
  /** Fetches and shows all that match. Returns their ids, none when that fails. */
  all: () => Promise<string[]>;
  reload: () => void;
}

interface Rows {
  products: readonly AdminProduct[];
  total: number;
  /** The query that the rows match. */
  of: ProductQuery;
}

/** Applies a local edit to the loaded rows until they are refetched. */
function withEdit(rows: Rows, edit: CatalogueEdit): Rows {
  if ('saved' in edit) {
    const { saved } = edit;
    return {
      ...rows,
      products: rows.products.map((product) => (product.id === saved.id ? saved : product)),
    };
  }
  const products = rows.products.filter(({ id }) => id !== edit.deleted);
  return { ...rows, products, total: rows.total - (rows.products.length - products.length) };
}

/** The rows that match a query, refetched after every change. Memoise `query`. */
export function useProducts(query: ProductQuery): ProductList {
  // Always fetched from the start: products added or sold meanwhile would shift later pages.
  const [wanted, setWanted] = useState(() => ({
    query,
    count: Math.max(pageSize, shownBefore()),
  }));
  const count = wanted.query === query ? wanted.count : pageSize;
  const load = useCallback(
    async (signal: AbortSignal): Promise<Rows> => {
      try {
        return { ...(await fetchProducts(query, { offset: 0, count, signal })), of: query };
      } catch (error) {
        if (!signal.aborted)
          showToast('Error', { description: 'Failed to fetch products', tone: 'destructive' });
        throw error;
      }
    },
    [query, count],
  );
  const { data, error, loading, reload, replace } = useLoaded(load);
  const apply = useEffectEvent((edit: CatalogueEdit | null) => {
    if (edit && data) replace(withEdit(data, edit));
  });
  useEffect(() => $catalogueEdit.listen((edit) => apply(edit)), []);
  useEffect(() => $catalogueVersion.listen(() => reload()), [reload]);
  const show = (rows: number) => {
    setWanted({ query, count: rows });
    // Also when the number stays the same, after a failure.
    reload();
  };
  const products = data?.products ?? [];
  return {
    products,
    total: data?.total ?? null,
    loading,
    outdated: data !== null && data.of !== query,
    problem: error,
    more: () => show(products.length + pageSize),
    all: async () => {
      const rows = data?.total ?? count;
      if (products.length >= rows) return products.map(({ id }) => id);
      show(rows);
      const { signal } = new AbortController();
      // A failure is told by the same request of the list.
      const found = await fetchProducts(query, { offset: 0, count: rows, signal }).catch(
        () => null,
      );
      return found?.products.map(({ id }) => id) ?? [];
    },
    reload,
  };
}
