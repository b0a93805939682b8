import { views as figures } from '#features/figures/admin-views.ts';
import { inboxView } from '#islands/admin/inbox/inbox-view.ts';
import type { AdminView, MoreLink } from '#islands/admin/shared/admin-view.ts';

/** The views that are reached from More. */
export const adminViews: readonly AdminView[] = [inboxView, ...figures];

/** Their links, in their order. */
export const moreLinks: readonly MoreLink[] = adminViews
  .flatMap(({ links }) => links)
  .sort((a, b) => a.order - b.order);
