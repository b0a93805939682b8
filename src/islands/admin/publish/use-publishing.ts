import type { QueryClient, UseQueryOptions } from '@tanstack/react-query';
import { publishApi, type PublishState } from '#domain/admin/publish.ts';
import { callAdmin } from '#services/admin/api.ts';
import { catalogueKey, productsKey } from '#islands/admin/shared/catalogue-edits.ts';
import { refetch } from '#islands/admin/shared/fetching/query-client.ts';
import { useFetched, type Fetched } from '#islands/admin/shared/fetching/use-fetched.ts';

export const publishingKey = [...catalogueKey, 'publishing'];

const pollMs = { building: 3_000, waiting: 15_000, idle: 60_000 } as const;

const waits = ({ configured, count, build }: PublishState): boolean =>
  configured && count > 0 && build.state !== 'building';

/** While changes wait, each request lets the server start a build that is due. A build that went live refetches the products. */
async function fetchKnown(client: QueryClient, signal: AbortSignal): Promise<PublishState> {
  const before = client.getQueryData<PublishState>(publishingKey);
  const state = await (before && waits(before)
    ? callAdmin(publishApi.request, { body: { auto: true }, isByItself: true })
    : callAdmin(publishApi.read, { signal }));
  if (before && before.build.publishedAt !== state.build.publishedAt) refetch(productsKey);
  return state;
}

const publishingQuery: UseQueryOptions<PublishState> = {
  queryKey: publishingKey,
  queryFn: ({ client, signal }) => fetchKnown(client, signal),
  refetchInterval: ({ state: { data } }) =>
    data?.build.state === 'building'
      ? pollMs.building
      : data && waits(data)
        ? pollMs.waiting
        : pollMs.idle,
};

/** The state of the built pages. Polls while shown. */
export const usePublishing = (): Fetched<PublishState> => useFetched(publishingQuery);
