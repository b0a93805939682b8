import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import type { AdminProduct } from '../../../../domain/admin/products/product-input.ts';
import { AdminError } from '../../../../services/admin/admin-error.ts';
import { fetchProducts, type ProductQuery } from '../../../../services/admin/catalogue/products.ts';
import {
  $catalogueEdit,
  $catalogueVersion,
  type CatalogueEdit,
} from '../../../../stores/admin-catalogue.ts';
import { showToast } from '../../../../stores/toasts.ts';
import { shownBefore } from './use-place.ts';

const pageSize = 24;

export interface ProductList {
  products: readonly AdminProduct[];
  /** How many match; null until the first answer. */
  total: number | null;
  loading: boolean;
  /** What is shown answers another query than the present one; not while the same is read again. */
  outdated: boolean;
  /** Why the list could not be read, in words. */
  problem: string | null;
  more: () => void;
  /** Reads all that match. */
  all: () => void;
  reload: () => void;
}

function tell(error: unknown): string {
  console.warn('The products could not be loaded', error);
  showToast('Error', { description: 'Failed to fetch products', tone: 'destructive' });
  return error instanceof AdminError
    ? error.message
    : 'Something went wrong here. Please try again.';
}

interface Rows {
  products: readonly AdminProduct[];
  total: number | null;
  /** The query that they answer. */
  of: ProductQuery;
}

/** The rows with an edit in them, until they are read again: one of their own edits is nobody else's. */
function withEdit({ products, total, of }: Rows, edit: CatalogueEdit): Rows {
  if ('saved' in edit)
    return {
      of,
      total,
      products: products.map((product) => (product.id === edit.saved.id ? edit.saved : product)),
    };
  const left = products.filter(({ id }) => id !== edit.deleted);
  return {
    of,
    products: left,
    total: total === null ? null : total - (products.length - left.length),
  };
}

/** The rows that match a query, read part by part, and read again after every change. Memoise `query`. */
export function useProducts(query: ProductQuery): ProductList {
  const version = useStore($catalogueVersion);
  const [list, setList] = useState<Rows>({ products: [], total: null, of: query });
  const [problem, setProblem] = useState<string | null>(null);
  const [loading, setLoading] = useState(true);
  const [round, setRound] = useState(0);
  const [start] = useState(shownBefore);
  const shown = useRef(Math.max(pageSize, start));
  const lastQuery = useRef(query);

  useEffect(() => {
    const stop = new AbortController();
    if (lastQuery.current !== query) shown.current = pageSize;
    lastQuery.current = query;
    const read = async () => {
      setLoading(true);
      try {
        const answer = await fetchProducts(query, {
          offset: 0,
          count: shown.current,
          signal: stop.signal,
        });
        if (stop.signal.aborted) return;
        setList({ ...answer, of: query });
        setProblem(null);
      } catch (error) {
        if (stop.signal.aborted) return;
        setProblem(tell(error));
      }
      setLoading(false);
    };
    void read();
    return () => {
      stop.abort();
    };
  }, [query, version, round]);

  useEffect(
    () =>
      $catalogueEdit.listen((edit) => {
        if (edit) setList((rows) => withEdit(rows, edit));
      }),
    [],
  );
  const { products, total, of } = list;
  return {
    products,
    total,
    loading,
    outdated: of !== query,
    problem,
    more: () => {
      // Read from the start again: what was added or sold meanwhile would shift the parts against each other.
      shown.current = products.length + pageSize;
      setRound(round + 1);
    },
    all: () => {
      shown.current = total ?? shown.current;
      setRound(round + 1);
    },
    reload: () => {
      setRound(round + 1);
    },
  };
}
