import type { TimelineEntry } from '#domain/admin/orders/order-timeline.ts';
import { indiaMoment } from '#domain/india-dates.ts';
import { DetailPanel } from './DetailPanel.tsx';

/** An entry with its dot on the line that leads to the next one. */
const entry =
  'relative border-l border-accent-300 pb-3.5 pl-5 leading-[1.45] last:border-transparent last:pb-0 before:absolute before:top-2 before:-left-[0.28125rem] before:size-2 before:rounded-full';

/** Steps, payments, refunds and mails of an order, oldest first. */
export function OrderHistory({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <DetailPanel title="History">
      <ol className="mt-3">
        {entries.map(({ at, title, detail, trouble }, index) => (
          // Two events may have the same time and words; their order never changes.
          <li
            key={`${String(index)}-${at}`}
            className={`${entry} ${trouble ? 'before:bg-danger-700' : 'before:bg-accent-500'}`}
          >
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
    </DetailPanel>
  );
}
