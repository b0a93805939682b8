import { useCallback, useEffect, useState } from 'react';
import type { ProductQuery } from '../../../../services/admin/catalogue/products.ts';
import { isProductsHash, productsHash, readProductsHash } from './products-address.ts';

export interface ProductSearch {
  query: ProductQuery;
  /** Rises when the query came from the address: the fields begin anew with it. */
  round: number;
  change: (part: Partial<ProductQuery>) => void;
}

/** Which products are looked at: kept in the page's address, so that a link, a reload and 'back' come to the same list. */
export function useProductQuery(): ProductSearch {
  const [{ query, round }, setState] = useState(() => ({
    query: readProductsHash(window.location.hash),
    round: 0,
  }));
  const change = useCallback((part: Partial<ProductQuery>) => {
    setState((before) => ({ ...before, query: { ...before.query, ...part } }));
  }, []);
  useEffect(() => {
    const follow = () => {
      if (!isProductsHash(window.location.hash)) return;
      const next = readProductsHash(window.location.hash);
      setState((before) =>
        productsHash(before.query) === productsHash(next)
          ? before
          : { query: next, round: before.round + 1 },
      );
    };
    window.addEventListener('hashchange', follow);
    return () => {
      window.removeEventListener('hashchange', follow);
    };
  }, []);
  useEffect(() => {
    const hash = productsHash(query);
    if (!isProductsHash(window.location.hash) || hash === (window.location.hash || '#')) return;
    // Replaced, not added: 'back' leaves the list instead of undoing letters.
    window.history.replaceState(window.history.state, '', hash);
  }, [query]);
  return { query, round, change };
}
