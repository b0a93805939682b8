import type { InboxListPart } from '#islands/admin/shared/admin-view.ts';

export const inboxList: InboxListPart = {
  kind: 'reviews',
  label: 'Reviews',
  counted: ' to read',
  order: 20,
  load: () => import('./ReviewList.tsx').then((module) => module.ReviewList),
  note: ({ newReviews }) => (newReviews === 0 ? '' : `${String(newReviews)} to read`),
};
