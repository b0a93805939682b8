import type { AdminView } from '#islands/admin/shared/admin-view.ts';
import { inboxHash, inboxLists } from './inbox-lists.ts';

/** What customers wrote, and what the checkout's form sent. */
export const inboxView: AdminView = {
  name: 'inbox',
  title: 'Inbox',
  load: () => import('./InboxView.tsx').then((module) => module.InboxView),
  links: inboxLists.map(({ kind, label, order, note }) => ({
    href: inboxHash(kind),
    label,
    order,
    ...(note ? { note } : {}),
  })),
};
