import { mailLink, replySubject } from '#domain/admin/orders/contact-links.ts';
import { fetchMessages } from '#services/admin/inbox.ts';
import { shop } from '#settings/shop.ts';
import { InboxEntry } from '#islands/admin/inbox/InboxEntry.tsx';
import { InboxList } from '#islands/admin/inbox/InboxList.tsx';
import type { InboxCounts } from '#islands/admin/shared/admin-view.ts';
import { useInbox } from '#islands/admin/inbox/use-inbox.ts';

/** Messages of the contact form, newest first. */
export function Messages({ onCounts }: { onCounts: (counts: InboxCounts) => void }) {
  const pages = useInbox('messages', fetchMessages, onCounts);
  return (
    <InboxList
      pages={pages}
      empty="No messages yet. What customers write on the contact page arrives here and by e-mail."
    >
      {(message) => (
        <InboxEntry
          key={message.id}
          kind="messages"
          entry={message}
          who={message.name}
          what={message.subject || 'No subject'}
          reply={mailLink(
            message.email,
            replySubject(message.subject, `Your message to ${shop.name}`),
          )}
        >
          <p className="text-sm break-words text-ink-500">{message.email}</p>
          <p className="mt-3 max-w-text break-words whitespace-pre-line">{message.message}</p>
        </InboxEntry>
      )}
    </InboxList>
  );
}
