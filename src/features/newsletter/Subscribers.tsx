import { indiaMoment } from '#domain/india-dates.ts';
import { subscribersFile } from '#domain/admin/inbox.ts';
import { fetchSubscribers } from '#services/admin/inbox.ts';
import { InboxList } from '#islands/admin/inbox/InboxList.tsx';
import type { InboxCounts } from '#islands/admin/shared/admin-view.ts';
import { useInbox } from '#islands/admin/inbox/use-inbox.ts';

/** The newsletter's addresses with their consent; whoever has left, or never confirmed, is shown so and not to be written to. */
export function Subscribers({ onCounts }: { onCounts: (counts: InboxCounts) => void }) {
  const pages = useInbox('subscribers', fetchSubscribers, onCounts);
  return (
    <>
      {pages.items.length === 0 ? null : (
        <p className="mt-4">
          <a className="btn btn-secondary" href={subscribersFile} download>
            Download CSV
          </a>
        </p>
      )}
      <InboxList
        pages={pages}
        empty="Nobody has asked for the newsletter yet. Its box is at the foot of every page."
      >
        {({ id, email, consentAt, consentText, confirmedAt, unsubscribedAt }) => (
          <li
            key={id}
            className={`border-b border-line py-3 text-sm/relaxed ${unsubscribedAt !== null || confirmedAt === null ? 'text-ink-500' : ''}`}
          >
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="min-w-0 font-medium break-all">{email}</span>
              {unsubscribedAt === null ? null : (
                <span className="badge badge-grey">Unsubscribed</span>
              )}
              {unsubscribedAt === null && confirmedAt === null ? (
                <span className="badge badge-grey">Not confirmed</span>
              ) : null}
            </p>
            <p className="text-sm text-ink-500">
              {unsubscribedAt === null ? null : (
                <>
                  Left <time dateTime={unsubscribedAt}>{indiaMoment(unsubscribedAt)}</time> ·{' '}
                </>
              )}
              {confirmedAt === null ? null : (
                <>
                  Confirmed <time dateTime={confirmedAt}>{indiaMoment(confirmedAt)}</time> ·{' '}
                </>
              )}
              Agreed <time dateTime={consentAt}>{indiaMoment(consentAt)}</time>: ‘{consentText}’
            </p>
          </li>
        )}
      </InboxList>
    </>
  );
}
