import type { QueryClient, UseQueryOptions } from '@tanstack/react-query';
import { todayApi, type Today } from '#domain/admin/today.ts';
import { callAdmin, setAfterChange } from '#services/admin/api.ts';
import { pollMs, refetch } from '#islands/admin/shared/fetching/query-client.ts';
import { useFetched, type Fetched } from '#islands/admin/shared/fetching/use-fetched.ts';
import { listsKey } from '#islands/admin/shared/fetching/use-pages.ts';

interface KnownToday {
  version: string;
  today: Today | null;
}

const queryKey = ['today'];

/** Today, or what is known of it while its version is the same. Another version refetches the lists of orders and the inbox. */
async function fetchKnown(client: QueryClient, signal: AbortSignal): Promise<KnownToday> {
  const before = client.getQueryData<KnownToday>(queryKey);
  const query = before ? { known: before.version } : {};
  const { version, today } = await callAdmin(todayApi.read, { query, signal });
  if (before && version !== before.version) refetch(listsKey);
  return { version, today: today ?? before?.today ?? null };
}

const todayQuery: UseQueryOptions<KnownToday> = {
  queryKey,
  queryFn: ({ client, signal }) => fetchKnown(client, signal),
  refetchInterval: pollMs,
  // The dashboard polls it already.
  refetchOnMount: false,
};

// What the admin changes here is counted at once.
setAfterChange(() => refetch(queryKey));

/** The tasks that need the admin's attention. Polls while the page is visible, and refetches after each change made here. */
export function useToday(): Fetched<Today> {
  const { data, ...state } = useFetched(todayQuery);
  return { ...state, data: data?.today ?? null };
}
