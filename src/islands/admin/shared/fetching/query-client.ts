import {
  keepPreviousData,
  notifyManager,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { onAdminSignOut } from '#stores/admin-session.ts';
import { logFailure } from './failure.ts';

/** Interval (ms) of the requests that poll or that repeat a failed one: an open page is at most ten seconds behind. */
export const pollMs = 8_000;

// A timer, the default, would draw each response one frame later.
notifyManager.setScheduler(queueMicrotask);

/** Everything that the admin page has fetched. Its defaults are the rules for each view: docs/decisions/0043. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: logFailure }),
  defaultOptions: {
    queries: {
      // The first failure is shown, with a button that tries again.
      retry: false,
      // Keeps the data that is shown and refetches it.
      refetchInterval: ({ state }) =>
        state.status === 'error' && state.data !== undefined ? pollMs : false,
      // Without a connection a request fails at once and says so, instead of waiting in silence.
      networkMode: 'always',
      refetchOnReconnect: true,
      placeholderData: keepPreviousData,
    },
  },
});

// The next person who logs in on this device must not see it. Also drops requests under way.
onAdminSignOut(() => queryClient.clear());

/** Shows the response of a change. A request under way began before it and must not overwrite it, so it is cancelled. */
export function showResponse(queryKey: QueryKey, data: unknown): void {
  void queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData(queryKey, data);
}

/** Refetches what is shown under a key and marks the rest as outdated. A request under way is cancelled: it began too early. */
export function refetch(queryKey: QueryKey): void {
  void queryClient.invalidateQueries({ queryKey });
}
