import { useState } from 'react';
import type { InboxKind } from '../../../domain/admin/inbox.ts';
import { BackToMore } from '../shared/BackToMore.tsx';
import { FormEntries } from './FormEntries.tsx';
import { Messages } from './Messages.tsx';
import { Subscribers } from './Subscribers.tsx';
import type { InboxCounts } from './use-inbox.ts';

const lists = { messages: Messages, forms: FormEntries, subscribers: Subscribers } as const;
const chips = [
  { kind: 'messages', href: '#inbox', label: 'Messages', counted: ' unread' },
  { kind: 'subscribers', href: '#inbox/subscribers', label: 'Newsletter', counted: ' addresses' },
] as const;

/** The admin inbox: messages of the contact form and newsletter addresses; apart from them what the checkout's form sent. */
export function InboxView({ kind }: { kind: InboxKind }) {
  const [counts, setCounts] = useState<InboxCounts | null>(null);
  const List = lists[kind];
  return (
    <section aria-labelledby="inbox-title">
      <BackToMore />
      <h2 className="section-title" id="inbox-title" tabIndex={-1}>
        {kind === 'forms' ? 'Checkout forms' : 'Inbox'}
      </h2>
      {kind === 'forms' ? null : (
        <nav aria-label="Inbox" className="filter-chips">
          {chips.map((chip) => (
            <a
              key={chip.kind}
              href={chip.href}
              className="filter-chip"
              aria-current={chip.kind === kind ? 'page' : undefined}
            >
              {chip.label}{' '}
              {(counts?.[chip.kind] ?? 0) === 0 ? null : (
                <span className="filter-count" data-new={chip.kind === 'messages'}>
                  {counts?.[chip.kind]}
                  <span className="visually-hidden">{chip.counted}</span>
                </span>
              )}
            </a>
          ))}
        </nav>
      )}
      <List onCounts={setCounts} />
    </section>
  );
}
