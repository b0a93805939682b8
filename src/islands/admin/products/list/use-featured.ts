import type { UseQueryOptions } from '@tanstack/react-query';
import type { FeaturedProduct } from '#domain/admin/products/product-input.ts';
import { featuredApi } from '#domain/admin/products/products-api.ts';
import { callAdmin, readConflict } from '#services/admin/api.ts';
import { shop } from '#settings/shop.ts';
import { showToast } from '#stores/toasts.ts';
import { failureMessage } from '#islands/admin/shared/fetching/failure.ts';
import { showResponse } from '#islands/admin/shared/fetching/query-client.ts';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { useFetched } from '#islands/admin/shared/fetching/use-fetched.ts';
import { catalogueEdited, catalogueKey } from '#islands/admin/shared/catalogue-edits.ts';

export const featuredQuery: UseQueryOptions<{ featured: FeaturedProduct[] }> = {
  queryKey: [...catalogueKey, 'featured'],
  queryFn: ({ signal }) => callAdmin(featuredApi.read, { signal }),
  // The panel of the home page mounts its list after the response.
  staleTime: 1_000,
};

export interface Featured {
  busy: boolean;
  has: (id: string) => boolean;
  /** Puts a product at the end, or takes it off. Says so when every place is taken. */
  toggle: (product: { id: string; name: string }) => void;
  /** Moves a product by one place, `up` or down. */
  move: (id: string, up: boolean) => void;
}

function showFailure(problem: unknown): void {
  showToast('Not saved', { description: failureMessage(problem), tone: 'destructive' });
}

/** The admin's choice for the home page. Every change is saved at once, unless the choice moved on meanwhile. */
export function useFeatured(): Featured {
  const { data } = useFetched(featuredQuery);
  const action = useAction();
  const ids = (data?.featured ?? []).map(({ id }) => id);
  const save = (next: readonly string[], done: string, name: string) =>
    void action.run(showFailure, async () => {
      try {
        const body = { ids: [...next], seen: ids };
        showResponse(featuredQuery.queryKey, await callAdmin(featuredApi.save, { body }));
      } catch (problem) {
        const current = readConflict(featuredApi.save, problem);
        if (current) showResponse(featuredQuery.queryKey, current);
        throw problem;
      }
      showToast(done, { description: name, tone: 'success' });
      catalogueEdited();
    });
  return {
    busy: action.busy || data === null,
    has: (id) => ids.includes(id),
    toggle: ({ id, name }) => {
      if (ids.includes(id))
        save(
          ids.filter((other) => other !== id),
          'Off the home page',
          name,
        );
      else if (ids.length < shop.limits.featured) save([...ids, id], 'On the home page', name);
      else
        showToast('The home page is full', {
          description: `It shows ${String(shop.limits.featured)} products. Take one off first.`,
        });
    },
    move: (id, up) => {
      const from = ids.indexOf(id);
      const to = from + (up ? -1 : 1);
      const other = ids[to];
      if (from === -1 || other === undefined) return;
      const name = data?.featured[from]?.name ?? '';
      save(
        ids.map((old) => (old === id ? other : old === other ? id : old)),
        `Now ${String(to + 1)} of ${String(ids.length)}`,
        name,
      );
    },
  };
}
