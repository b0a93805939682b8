import { useState, type ReactNode } from 'react';
import type { InboxMark } from '#domain/admin/inbox.ts';
import { indiaMoment } from '#domain/india-dates.ts';
import { markEntry } from '#services/admin/inbox.ts';
import { showToast } from '#stores/toasts.ts';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';

interface InboxEntryProps {
  kind: 'messages' | 'forms';
  entry: { id: number; createdAt: string; readAt: string | null; answeredAt: string | null };
  who: string;
  what: string;
  /** A mail to the sender; null when the entry gives no address. */
  reply: string | null;
  children: ReactNode;
}

/** One message, closed until it is pressed; opening it marks it as read. */
export function InboxEntry({ kind, entry, who, what, reply, children }: InboxEntryProps) {
  const { id, readAt, answeredAt } = entry;
  const action = useAction();
  // The sign goes at once; should the mark not arrive, it is back with the next reading.
  const [opened, setOpened] = useState(false);
  const unread = readAt === null && !opened;
  const mark = (change: InboxMark, done: string) =>
    action.run('The change was not saved', async () => {
      await markEntry(kind, id, change);
      if (done !== '') showToast(done, { tone: 'success' });
    });
  const markRead = async () => {
    setOpened(true);
    try {
      await markEntry(kind, id, { read: true });
    } catch (error) {
      console.warn('A message could not be marked as read', error);
    }
  };
  return (
    <li className="border-b border-line">
      <details
        onToggle={(event) => {
          if (event.currentTarget.open && unread) void markRead();
        }}
      >
        <summary
          className={`grid min-h-11 grid-cols-[minmax(0,1fr)_auto] gap-x-3 border-l-2 py-3 pr-2 pl-4 hover:bg-mist ${unread ? 'border-accent-500' : 'border-transparent'}`}
        >
          <span className={`wrap-anywhere ${unread ? 'font-semibold' : ''}`}>
            {unread ? <span className="visually-hidden">Unread: </span> : null}
            {who}
          </span>
          <span
            className={`order-last col-span-full truncate text-sm/relaxed ${unread ? 'font-semibold text-ink-900' : 'text-ink-500'}`}
          >
            {what}
          </span>
          <span className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1 text-xs/relaxed text-ink-500">
            {answeredAt === null ? null : <span className="badge badge-green">Answered</span>}
            <time dateTime={entry.createdAt}>{indiaMoment(entry.createdAt)}</time>
          </span>
        </summary>
        <div className="pt-1 pr-2 pb-5 pl-[1.125rem]">
          {children}
          <ActionError error={action.error} />
          <div className="mt-4 flex flex-wrap gap-2">
            {reply === null ? null : (
              <a className="btn btn-primary btn-small" href={reply}>
                Reply
              </a>
            )}
            <button
              type="button"
              className="btn btn-secondary btn-small aria-pressed:border-brand-700 aria-pressed:bg-brand-50 aria-pressed:text-brand-700"
              aria-pressed={answeredAt !== null}
              aria-busy={action.busy}
              onClick={() =>
                void mark(
                  { answered: answeredAt === null },
                  answeredAt === null ? 'Marked as answered' : 'Mark taken off',
                )
              }
            >
              {answeredAt === null ? null : <span aria-hidden="true">✓</span>}
              Answered
            </button>
            <button
              type="button"
              className="btn btn-quiet btn-small"
              onClick={(event) => {
                event.currentTarget.closest('details')?.removeAttribute('open');
                event.currentTarget.closest('details')?.querySelector('summary')?.focus();
                setOpened(false);
                void mark({ read: false }, '');
              }}
            >
              Mark unread
            </button>
          </div>
        </div>
      </details>
    </li>
  );
}
