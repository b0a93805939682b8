import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { fetchFirst, type PageRequest } from '../../../services/admin/page-request.ts';
import { $today } from '../../../stores/admin-today.ts';
import { showToast } from '../../../stores/toasts.ts';
import { failureMessage, useLoaded } from './use-loaded.ts';

/** A list is read in parts of so many. */
const partSize = 25;

interface Part<Item> {
  items: readonly Item[];
  next: string | null;
}
interface Following<Item> extends Part<Item> {
  /** The first part that this follows on; another one makes it void. */
  of: Part<Item>;
}

export interface Pages<Item, P> {
  /** The first part, for the counts of the whole list in it. Null until it is read. */
  first: P | null;
  items: readonly Item[];
  error: string | null;
  loading: boolean;
  /** The shown rows answer an earlier query; not while the same one is fetched again. */
  outdated: boolean;
  /** Reads the next part; null when there is none. */
  more: (() => void) | null;
  loadingMore: boolean;
  /** Reads again all that is shown. */
  refresh: () => void;
}

/** A list that is read part by part, and again with every change in the shop. Memoise `load`; another one begins the list anew. */
export function usePages<Item, P extends Part<Item>>(
  load: (page: PageRequest) => Promise<P>,
): Pages<Item, P> {
  const [shown, setShown] = useState({ of: load, count: partSize });
  // Another list begins with one part, however long the one before was.
  const count = shown.of === load ? shown.count : partSize;
  const loadFirst = useCallback(
    async (signal: AbortSignal) => ({
      of: load,
      part: await fetchFirst(load, count, signal),
    }),
    [load, count],
  );
  const { data, error, loading, reload } = useLoaded(loadFirst);
  const first = data?.part ?? null;
  const [following, setFollowing] = useState<Following<Item> | null>(null);
  const [loadingMore, setLoadingMore] = useState(false);
  const rest = first !== null && following?.of === first ? following : null;
  const items = [...(first?.items ?? []), ...(rest?.items ?? [])];
  const next = rest ? rest.next : (first?.next ?? null);

  const more = () => {
    if (first === null || next === null || loadingMore) return;
    setLoadingMore(true);
    load({ cursor: next, limit: partSize })
      .then((part) => {
        setFollowing({
          of: first,
          items: [...(rest?.items ?? []), ...part.items],
          next: part.next,
        });
      })
      .catch((problem: unknown) => {
        showToast('More could not be loaded', {
          description: failureMessage(problem),
          tone: 'destructive',
        });
      })
      .finally(() => {
        setLoadingMore(false);
      });
  };
  const refresh = () => {
    setShown({ of: load, count: Math.max(partSize, items.length) });
    reload();
  };
  const follow = useEffectEvent(refresh);
  useEffect(
    () =>
      $today.listen(({ changes }, before) => {
        if (before && changes !== before.changes) follow();
      }),
    [],
  );
  return {
    first,
    items,
    error,
    loading,
    outdated: data !== null && data.of !== load,
    more: next === null ? null : more,
    loadingMore,
    refresh,
  };
}
