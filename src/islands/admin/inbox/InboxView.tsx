import { useState } from 'react';
import { inboxKinds, type InboxKind } from '../../../domain/admin/inbox.ts';
import { FormEntries } from './FormEntries.tsx';
import { Messages } from './Messages.tsx';
import { Subscribers } from './Subscribers.tsx';
import type { InboxCounts } from './use-inbox.ts';

const labels: Readonly<Record<InboxKind, string>> = {
  messages: 'Messages',
  forms: 'Checkout forms',
  subscribers: 'Newsletter',
};
const lists = { messages: Messages, forms: FormEntries, subscribers: Subscribers } as const;
const address = (kind: InboxKind): string => (kind === 'messages' ? '#inbox' : `#inbox/${kind}`);

/** The admin inbox: messages of the contact form, what the checkout's form sent, newsletter addresses. */
export function InboxView({ kind }: { kind: InboxKind }) {
  const [counts, setCounts] = useState<InboxCounts | null>(null);
  const List = lists[kind];
  return (
    <section aria-labelledby="inbox-title">
      <h2 className="section-title" id="inbox-title" tabIndex={-1}>
        Inbox
      </h2>
      <nav aria-label="Inbox" className="filter-chips">
        {inboxKinds.map((other) => (
          <a
            key={other}
            href={address(other)}
            className="filter-chip"
            aria-current={other === kind ? 'page' : undefined}
          >
            {labels[other]} <Count kind={other} counts={counts} />
          </a>
        ))}
      </nav>
      <List onCounts={setCounts} />
    </section>
  );
}

function Count({ kind, counts }: { kind: InboxKind; counts: InboxCounts | null }) {
  const count = counts?.[kind] ?? 0;
  if (count === 0) return null;
  return (
    <span className="filter-count" data-new={kind !== 'subscribers'}>
      {count}
      <span className="visually-hidden">{kind === 'subscribers' ? ' addresses' : ' unread'}</span>
    </span>
  );
}
