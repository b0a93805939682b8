import { useEffect } from 'react';
import type { InboxKind } from '#domain/admin/inbox.ts';
import type { PageRequest } from '#services/admin/page-request.ts';
import type { InboxCounts } from '#islands/admin/shared/admin-view.ts';
import { usePages, type Pages } from '#islands/admin/shared/fetching/use-pages.ts';

interface InboxPart<Item> {
  items: Item[];
  next: string | null;
  unread: { messages: number; forms: number };
  subscribers: number;
  reviews: number;
}

/** One kind of the inbox, loaded part by part; reports the counts of the whole inbox as they come. */
export function useInbox<Item>(
  kind: InboxKind,
  load: (page: PageRequest) => Promise<InboxPart<Item>>,
  onCounts: (counts: InboxCounts) => void,
): Pages<Item, InboxPart<Item>> {
  const pages = usePages<Item, InboxPart<Item>>(['inbox', kind], load);
  const { first } = pages;
  useEffect(() => {
    if (!first) return;
    const { unread, subscribers, reviews } = first;
    onCounts({ ...unread, subscribers, reviews });
  }, [first, onCounts]);
  return pages;
}
