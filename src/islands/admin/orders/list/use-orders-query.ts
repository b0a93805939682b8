import { useEffect, useState } from 'react';
import {
  ordersHash,
  readOrdersHash,
  type OrdersQuery,
} from '../../../../domain/admin/orders/orders-address.ts';

/** Long enough that a name is asked for once and not letter by letter. */
const typingPauseMs = 300;
const isList = (hash: string): boolean => /^#orders(?:\?|$)/u.test(hash);

export interface OrdersSearch {
  /** What is asked for; `q` follows `typed` after a pause. */
  query: OrdersQuery;
  typed: string;
  type: (text: string) => void;
  show: (query: OrdersQuery) => void;
}

/** Which orders are looked at: kept in the page's address, so that a link, a reload and 'back' come to the same list. */
export function useOrdersQuery(): OrdersSearch {
  const [query, setQuery] = useState(() => readOrdersHash(window.location.hash));
  const [typed, type] = useState(query.q);
  const show = (next: OrdersQuery) => {
    type(next.q);
    setQuery(next);
  };
  useEffect(() => {
    const text = typed.trim();
    if (text === query.q) return;
    const timer = setTimeout(() => {
      setQuery((before) => ({ ...before, q: text }));
    }, typingPauseMs);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, query.q]);
  useEffect(() => {
    const follow = () => {
      // An open order says nothing of the list behind it, and one's own writing says nothing new.
      if (!isList(window.location.hash)) return;
      const next = readOrdersHash(window.location.hash);
      type(next.q);
      setQuery((before) => (before.filter === next.filter && before.q === next.q ? before : next));
    };
    window.addEventListener('hashchange', follow);
    return () => {
      window.removeEventListener('hashchange', follow);
    };
  }, []);
  useEffect(() => {
    const hash = ordersHash(query);
    if (!isList(window.location.hash) || hash === window.location.hash) return;
    // Replaced, not added: 'back' leaves the list instead of undoing letters.
    window.history.replaceState(window.history.state, '', hash);
  }, [query]);
  return { query, typed, type, show };
}
