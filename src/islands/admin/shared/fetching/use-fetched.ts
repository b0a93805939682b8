import { useQuery, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { failureMessage } from './failure.ts';

/** How the request of a view stands. Every view shows it by `LoadState`. */
export interface FetchState {
  /** Why the last request failed, as a sentence. It stays until the next response. */
  error: string | null;
  loading: boolean;
  /** The data belongs to an earlier key, such as the filter before. False while the same key is refetched. */
  outdated: boolean;
  /** The moment of what is shown (ms since the epoch) when it could not be refreshed for a while; else null. */
  staleSince: number | null;
  reload: () => void;
}

export interface Fetched<T> extends FetchState {
  /** The last response. It stays while a new one loads, and when that fails. */
  data: T | null;
}

/** A single failed request is no news: the next one follows in seconds. */
const staleMs = 30_000;

/** Reads the state of a request from the library's result. */
export function useFetchState(result: UseQueryResult): FetchState {
  const { error, isPending, errorUpdateCount, errorUpdatedAt, dataUpdatedAt } = result;
  // The library drops the error of a first load while it is repeated, and the pressed button with it.
  const [last, setLast] = useState<Error | null>(null);
  if (error !== null && error !== last) setLast(error);
  const shown = error ?? (isPending && errorUpdateCount > 0 ? last : null);
  const isStale = error !== null && dataUpdatedAt > 0 && errorUpdatedAt - dataUpdatedAt >= staleMs;
  return {
    error: shown === null ? null : failureMessage(shown),
    loading: result.isFetching,
    outdated: result.isPlaceholderData,
    staleSince: isStale ? dataUpdatedAt : null,
    reload: () => void result.refetch(),
  };
}

/** Fetches one response, and again when the admin comes back to the tab. A response that may be null is put into an object. */
export function useFetched<T extends object | string | boolean>(
  options: UseQueryOptions<T>,
): Fetched<T> {
  const result = useQuery(options);
  return { ...useFetchState(result), data: result.data ?? null };
}
