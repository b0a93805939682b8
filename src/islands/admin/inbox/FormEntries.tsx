import { formFields, formText } from '#domain/admin/form-entry.ts';
import { mailLink, replySubject } from '#domain/admin/orders/contact-links.ts';
import { fetchForms } from '#services/admin/inbox.ts';
import { shop } from '#settings/shop.ts';
import { InboxEntry } from './InboxEntry.tsx';
import { InboxList } from './InboxList.tsx';
import type { InboxCounts } from '#islands/admin/shared/admin-view.ts';
import { useInbox } from './use-inbox.ts';

/** Entries of the form-collection endpoint, newest first. */
export function FormEntries({ onCounts }: { onCounts: (counts: InboxCounts) => void }) {
  const pages = useInbox('forms', fetchForms, onCounts);
  return (
    <InboxList
      pages={pages}
      empty="No checkout forms yet. What customers type at the checkout is kept here too; their orders are under Orders."
    >
      {(entry) => (
        <InboxEntry
          key={entry.id}
          kind="forms"
          entry={entry}
          who={formText(entry, 'name') || formText(entry, 'email') || 'No name'}
          what={entry.form}
          reply={mailLink(
            formText(entry, 'email'),
            replySubject(formText(entry, 'subject'), `Your order at ${shop.name}`),
          )}
        >
          <dl className="grid gap-2.5">
            {formFields(entry).map(({ label, value }) => (
              <div key={label}>
                <dt className="text-sm/relaxed text-ink-500">{label}</dt>
                <dd className="wrap-anywhere whitespace-pre-line">{value}</dd>
              </div>
            ))}
          </dl>
        </InboxEntry>
      )}
    </InboxList>
  );
}
