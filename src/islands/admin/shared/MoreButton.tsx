import type { Pages } from './use-pages.ts';

/** Reads the next part of a list; nothing at its end. */
export function MoreButton({
  pages,
}: {
  pages: Pick<Pages<unknown, unknown>, 'more' | 'loadingMore'>;
}) {
  if (pages.more === null) return null;
  return (
    <p className="mt-4 text-center">
      <button
        type="button"
        className="btn btn-secondary"
        aria-busy={pages.loadingMore}
        onClick={pages.more}
      >
        {pages.loadingMore ? 'Loading…' : 'Load more'}
      </button>
    </p>
  );
}
