import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PageRequest } from '#services/admin/page-request.ts';
import { showToast } from '#stores/toasts.ts';
import { failureMessage } from './failure.ts';
import { useFetchState, type FetchState } from './use-fetched.ts';

/** Rows of one part. */
const partSize = 25;

/** The key that all lists begin with: each change in the shop refetches them. */
export const listsKey: QueryKey = ['lists'];

interface Part<Item> {
  items: readonly Item[];
  next: string | null;
}

export interface Pages<Item, P> extends FetchState {
  /** The first part, for the counts of the whole list in it. Null until it is loaded. */
  first: P | null;
  items: readonly Item[];
  /** Loads the next part; null when there is none. */
  more: (() => void) | null;
  loadingMore: boolean;
}

/**
 * A list that is loaded part by part, and again with every change in the shop: all parts that are shown, one after the other, each
 * from the end of the one before. So no row is lost or shown twice while orders come in.
 *
 * @param key - Names the list and its filter; another one begins the list anew.
 */
export function usePages<Item, P extends Part<Item>>(
  key: QueryKey,
  load: (page: PageRequest) => Promise<P>,
): Pages<Item, P> {
  const queryKey = [...listsKey, ...key];
  const result = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load({ cursor: pageParam, limit: partSize, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: P) => next,
  });
  const { data, hasNextPage, isFetching, errorUpdateCount, fetchNextPage } = result;
  const state = useFetchState(result);
  const parts = data?.pages ?? [];

  // A refetch cancels the request of the next part, and the other way round: so a press waits for its turn.
  const list = JSON.stringify(queryKey);
  const [pressed, setPressed] = useState({ list, parts: 0, errors: 0 });
  const loadingMore =
    hasNextPage &&
    pressed.list === list &&
    pressed.parts === parts.length &&
    pressed.errors === errorUpdateCount;
  useEffect(() => {
    if (!loadingMore || isFetching) return;
    void fetchNextPage().then(({ error }) => {
      if (error === null) return;
      showToast('More could not be loaded', {
        description: failureMessage(error),
        tone: 'destructive',
      });
    });
  }, [loadingMore, isFetching, fetchNextPage]);

  return {
    ...state,
    first: parts[0] ?? null,
    items: parts.flatMap(({ items }) => items),
    more: hasNextPage
      ? () => setPressed({ list, parts: parts.length, errors: errorUpdateCount })
      : null,
    loadingMore,
  };
}
