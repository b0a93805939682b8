import type { ComponentType } from 'react';
import type { Today } from '#domain/admin/today.ts';

/** A view of the admin page besides Today, Orders, Products and More. */
export interface AdminView {
  /** The first part of its address: 'figures' of '#figures'. */
  name: string;
  /** Shown as the title of the document. */
  title: string;
  /** Fetches its component when it is first shown. `detail` is the part of the address after the name. */
  load: () => Promise<ComponentType<{ detail: string }>>;
  /** Its links under More. */
  links: readonly MoreLink[];
}

/** A link under More. */
export interface MoreLink {
  href: string;
  label: string;
  /** Links stand in this order. */
  order: number;
  /** Stands beside the label; '' for nothing. */
  note?: (today: Today) => string;
}

/** A list of the inbox. Features add theirs as `src/features/NAME/inbox-list.ts`. */
export interface InboxListPart {
  /** The part of the address after '#inbox/'. The first of all lists needs none. */
  kind: 'messages' | 'subscribers' | 'reviews';
  label: string;
  /** What its count counts, for screen readers. */
  counted: string;
  order: number;
  load: () => Promise<ComponentType<{ onCounts: (counts: InboxCounts) => void }>>;
  note?: MoreLink['note'];
}

/** The unread entries, the newsletter's subscribers and the new reviews; every list of the inbox returns them. */
export interface InboxCounts {
  messages: number;
  forms: number;
  subscribers: number;
  reviews: number;
}
