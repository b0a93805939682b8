import { useState } from 'react';
import type { InboxCounts } from '#islands/admin/shared/admin-view.ts';
import { BackToMore } from '#islands/admin/shared/BackToMore.tsx';
import { LazyPart } from '#islands/admin/shared/fetching/LazyPart.tsx';
import { FormEntries } from './FormEntries.tsx';
import { inboxHash, inboxLists } from './inbox-lists.ts';

/** The admin inbox: what customers wrote, as features list it; apart from it what the checkout's form sent. */
export function InboxView({ detail }: { detail: string }) {
  const [counts, setCounts] = useState<InboxCounts | null>(null);
  const list = inboxLists.find(({ kind }) => kind === detail) ?? inboxLists[0];
  const isForms = detail === 'forms' || list === undefined;
  return (
    <section aria-labelledby="inbox-title">
      <BackToMore />
      <h2 className="section-title" id="inbox-title" tabIndex={-1}>
        {isForms ? 'Checkout forms' : 'Inbox'}
      </h2>
      {isForms ? (
        <FormEntries onCounts={setCounts} />
      ) : (
        <>
          <nav aria-label="Inbox" className="filter-chips">
            {inboxLists.map(({ kind, label, counted }) => (
              <a
                key={kind}
                href={inboxHash(kind)}
                className="filter-chip"
                aria-current={kind === list.kind ? 'page' : undefined}
              >
                {label}{' '}
                {(counts?.[kind] ?? 0) === 0 ? null : (
                  <span className="filter-count" data-new={kind !== 'subscribers'}>
                    {counts?.[kind]}
                    {/* Messages alone show it, because their list has more than are counted. */}
                    <span className={kind === 'messages' ? '' : 'visually-hidden'}>{counted}</span>
                  </span>
                )}
              </a>
            ))}
          </nav>
          <LazyPart key={list.kind} load={list.load} props={{ onCounts: setCounts }} />
        </>
      )}
    </section>
  );
}
