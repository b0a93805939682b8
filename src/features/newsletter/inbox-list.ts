import type { InboxListPart } from '#islands/admin/shared/admin-view.ts';

export const inboxList: InboxListPart = {
  kind: 'subscribers',
  label: 'Newsletter',
  counted: ' addresses',
  order: 40,
  load: () => import('./Subscribers.tsx').then((module) => module.Subscribers),
};
