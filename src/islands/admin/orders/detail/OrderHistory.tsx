import type { TimelineEntry } from '../../../../domain/admin/order-timeline.ts';
import { indiaMoment } from '../../../../domain/india-dates.ts';

/** Steps, payments, refunds and mails of an order, oldest first. */
export function OrderHistory({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <section className="panel panel-dense" aria-labelledby="history-title">
      <h3 className="text-lg" id="history-title">
        History
      </h3>
      <ol className="timeline">
        {entries.map(({ at, title, detail, trouble }, index) => (
          // Two events may have the same time and words; their order never changes.
          <li key={`${String(index)}-${at}`} data-trouble={trouble}>
            <p className="break-words">
              {trouble ? <span className="badge badge-red">Look at this</span> : null} {title}
            </p>
            <p className="text-sm break-words text-ink-500">
              <time dateTime={at}>{indiaMoment(at)}</time>
              {detail === null ? '' : ` · ${detail}`}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
