import type { Pages } from './fetching/use-pages.ts';

/** Loads the next part of a list; nothing at its end. */
export function MoreButton({
  more,
  loadingMore,
}: Pick<Pages<unknown, unknown>, 'more' | 'loadingMore'>) {
  if (more === null) return null;
  return (
    <p className="mt-4 text-center">
      <button type="button" className="btn btn-secondary" aria-busy={loadingMore} onClick={more}>
        {loadingMore ? 'Loading…' : 'Load more'}
      </button>
    </p>
  );
}
