import { useCallback, useEffect, useState } from 'react';
import {
  ordersHash,
  readOrdersHash,
  type OrdersQuery,
} from '#domain/admin/orders/orders-address.ts';
import { useListAddress, type ListAddress } from '#islands/admin/shared/use-list-address.ts';

/** Debounce of the search, in ms: one request for a name, not one for each letter. */
const typingPauseMs = 300;

const address: ListAddress<OrdersQuery> = {
  // The list behind an open order stays as it was.
  matches: (hash) => /^#orders(?:\?|$)/u.test(hash),
  parse: readOrdersHash,
  format: ordersHash,
};

export interface OrdersSearch {
  /** The requested query; its `q` follows `typed` after a pause. */
  query: OrdersQuery;
  typed: string;
  type: (text: string) => void;
  show: (query: OrdersQuery) => void;
}

/** The orders that the admin views, stored in the page's address. */
export function useOrdersQuery(): OrdersSearch {
  const [typed, type] = useState(() => readOrdersHash(window.location.hash).q);
  const { query, change } = useListAddress(
    address,
    useCallback(({ q }: OrdersQuery) => type(q), []),
  );
  const show = (next: OrdersQuery) => {
    type(next.q);
    change(next);
  };
  useEffect(() => {
    const text = typed.trim();
    if (text === query.q) return;
    const timer = setTimeout(() => {
      change({ q: text });
    }, typingPauseMs);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, query.q, change]);
  return { query, typed, type, show };
}
