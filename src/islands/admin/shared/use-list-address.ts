import { useCallback, useEffect, useRef, useState } from 'react';

/** How the query of one list is stored in the URL's hash. */
export interface ListAddress<Query> {
  /** Whether a hash shows this list. */
  matches: (hash: string) => boolean;
  parse: (hash: string) => Query;
  format: (query: Query) => string;
}

export interface ListQuery<Query> {
  query: Query;
  /** Rises when the query came from the address: the fields begin anew with it. */
  round: number;
  change: (part: Partial<Query>) => void;
}

/**
 * Keeps the query of a list in the page's address, so that a link, a reload and 'back' lead to the same list.
 *
 * An effect may run after the next tap has changed the hash. The hook therefore replaces only the hash that it has parsed or
 * written itself, and parses every other hash of its list.
 *
 * @param address - Must be the same object in every render.
 * @param onFollow - Receives the query of each new address of the list. Must be stable.
 */
export function useListAddress<Query extends object>(
  address: ListAddress<Query>,
  onFollow?: (query: Query) => void,
): ListQuery<Query> {
  const known = useRef(window.location.hash);
  const [{ query, round }, setState] = useState(() => ({
    query: address.parse(window.location.hash),
    round: 0,
  }));
  const change = useCallback((part: Partial<Query>) => {
    setState((before) => ({ ...before, query: { ...before.query, ...part } }));
  }, []);
  // This effect runs before the subscription below, which marks a new hash as known.
  useEffect(() => {
    const current = window.location.hash;
    const hash = address.format(query);
    if (current !== known.current || !address.matches(current) || hash === (current || '#')) return;
    // Replaced, not added: 'back' leaves the list instead of undoing letters.
    window.history.replaceState(window.history.state, '', hash);
    known.current = window.location.hash;
  }, [address, query]);
  useEffect(() => {
    const follow = () => {
      const hash = window.location.hash;
      if (hash === known.current || !address.matches(hash)) return;
      known.current = hash;
      const next = address.parse(hash);
      onFollow?.(next);
      setState((before) =>
        address.format(before.query) === address.format(next)
          ? before
          : { query: next, round: before.round + 1 },
      );
    };
    // The hash may have changed between the first render and this effect.
    follow();
    window.addEventListener('hashchange', follow);
    return () => {
      window.removeEventListener('hashchange', follow);
    };
  }, [address, onFollow]);
  return { query, round, change };
}
