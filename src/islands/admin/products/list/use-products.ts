import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { fetchProducts, type ProductQuery } from '#services/admin/catalogue/products.ts';
import { showToast } from '#stores/toasts.ts';
import { queryClient } from '#islands/admin/shared/fetching/query-client.ts';
import { useFetchState, type FetchState } from '#islands/admin/shared/fetching/use-fetched.ts';
import { productsKey, type ProductRows } from '#islands/admin/shared/catalogue-edits.ts';
import { shownBefore } from './use-place.ts';

const pageSize = 24;

export interface ProductList extends FetchState {
  products: readonly AdminProduct[];
  /** How many products match; null until the first response. */
  total: number | null;
  more: () => void;
  /** Fetches and shows all that match. Returns their ids, none when that fails. */
  all: () => Promise<string[]>;
}

const showFailure = () =>
  showToast('Error', { description: 'Failed to fetch products', tone: 'destructive' });

/** The rows that match a query, refetched after every change. */
export function useProducts(query: ProductQuery): ProductList {
  const queryKey = [...productsKey, query];
  const list = JSON.stringify(query);
  // The count is no part of the key: more rows of a list are the same list, and stay in view while they are refetched.
  const wanted = useRef({ list, count: shownBefore() });
  const result = useQuery({
    queryKey,
    // Always fetched from the start: products added or sold meanwhile would shift later pages.
    queryFn: ({ signal }) => {
      const shown = queryClient.getQueryData<ProductRows>(queryKey)?.products.length ?? 0;
      const count = wanted.current.list === list ? wanted.current.count : 0;
      return fetchProducts(query, { offset: 0, count: Math.max(pageSize, shown, count), signal });
    },
  });
  const state = useFetchState(result);
  const isFailed = state.error !== null && result.data === undefined;
  useEffect(() => {
    if (isFailed) showFailure();
  }, [isFailed]);

  const show = async (count: number): Promise<readonly AdminProduct[]> => {
    wanted.current = { list, count };
    const { data, isError } = await result.refetch();
    if (!isError) return data?.products ?? [];
    showFailure();
    return [];
  };
  const products = result.data?.products ?? [];
  const total = result.data?.total ?? null;
  return {
    ...state,
    products,
    total,
    more: () => void show(products.length + pageSize),
    all: async () => {
      const rows =
        products.length >= (total ?? pageSize) ? products : await show(total ?? pageSize);
      return rows.map(({ id }) => id);
    },
  };
}
