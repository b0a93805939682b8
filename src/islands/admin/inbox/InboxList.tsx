import type { ReactNode } from 'react';
import { LoadFailed, Loading } from '../shared/LoadState.tsx';
import { MoreButton } from '../shared/MoreButton.tsx';
import type { Pages } from '../shared/use-pages.ts';

interface InboxListProps<Item> {
  pages: Pages<Item, unknown>;
  /** The text of an empty list. */
  empty: string;
  children: (item: Item) => ReactNode;
}

/** A list of the inbox with its loading, empty and failed states. */
export function InboxList<Item>({ pages, empty, children }: InboxListProps<Item>) {
  const { first, items, error, loading } = pages;
  return (
    <>
      {error === null ? null : (
        <LoadFailed
          title="The inbox could not be loaded"
          error={error}
          busy={loading}
          onRetry={pages.refresh}
        />
      )}
      {first === null && error === null ? <Loading text="Loading the inbox" /> : null}
      {first !== null && items.length === 0 ? <p className="py-8 text-ink-700">{empty}</p> : null}
      {items.length === 0 ? null : (
        <ul className="border-t border-line">{items.map((item) => children(item))}</ul>
      )}
      <MoreButton pages={pages} />
    </>
  );
}
