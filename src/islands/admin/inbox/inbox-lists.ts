import { featuresOff } from '#settings/features.ts';
import type { InboxListPart } from '#islands/admin/shared/admin-view.ts';

/** What features add to the inbox: every `src/features/NAME/inbox-list.ts` of those that are on, in their order. */
export const inboxLists: readonly InboxListPart[] = Object.entries(
  import.meta.glob<InboxListPart>('../../../features/*/inbox-list.ts', {
    eager: true,
    import: 'inboxList',
  }),
)
  .filter(([path]) => !featuresOff.some((name) => path.includes(`/${name}/`)))
  .map(([, list]) => list)
  .sort((a, b) => a.order - b.order);

/** The address of a list. */
export const inboxHash = (kind: string): string =>
  kind === 'messages' ? '#inbox' : `#inbox/${kind}`;
