import type { ReactNode } from 'react';
import { LoadState } from '#islands/admin/shared/fetching/LoadState.tsx';
import { MoreButton } from '#islands/admin/shared/MoreButton.tsx';
import type { Pages } from '#islands/admin/shared/fetching/use-pages.ts';

interface InboxListProps<Item> {
  pages: Pages<Item, unknown>;
  /** The text of an empty list. */
  empty: string;
  children: (item: Item) => ReactNode;
}

/** A list of the inbox with its loading, empty and failed states. */
export function InboxList<Item>({ pages, empty, children }: InboxListProps<Item>) {
  const { first, items, more, loadingMore, ...state } = pages;
  return (
    <>
      <LoadState
        {...state}
        shown={first !== null}
        failed="The inbox could not be loaded"
        text="Loading the inbox"
      />
      {first !== null && items.length === 0 ? <p className="py-8 text-ink-700">{empty}</p> : null}
      {items.length === 0 ? null : (
        <ul className="border-t border-line">{items.map((item) => children(item))}</ul>
      )}
      <MoreButton more={more} loadingMore={loadingMore} />
    </>
  );
}
