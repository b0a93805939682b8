import type { InboxListPart } from '#islands/admin/shared/admin-view.ts';

export const inboxList: InboxListPart = {
  kind: 'messages',
  label: 'Messages',
  counted: ' unread',
  order: 10,
  load: () => import('./Messages.tsx').then((module) => module.Messages),
  note: ({ toAnswer: { count } }) => (count === 0 ? '' : `${String(count)} to answer`),
};
