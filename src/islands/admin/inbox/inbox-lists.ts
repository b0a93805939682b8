import type { InboxListPart } from '../shared/admin-view.ts';

/** What features add to the inbox: every `src/features/NAME/inbox-list.ts`, in their order. */
export const inboxLists: readonly InboxListPart[] = Object.values(
  import.meta.glob<InboxListPart>('../../../features/*/inbox-list.ts', {
    eager: true,
    import: 'inboxList',
  }),
).sort((a, b) => a.order - b.order);

/** The address of a list. */
export const inboxHash = (kind: string): string =>
  kind === 'messages' ? '#inbox' : `#inbox/${kind}`;
