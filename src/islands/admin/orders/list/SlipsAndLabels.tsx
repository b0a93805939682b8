import type { OrderFilter } from '../../../../domain/admin/orders/orders.ts';
import {
  orderDocuments,
  type OrdersPart,
  type WaitingStage,
} from '../../../../services/admin/orders/orders.ts';
import { CourierTools } from '../parcels/CourierTools.tsx';

interface SlipsAndLabelsProps {
  filter: OrderFilter;
  counts: OrdersPart['counts'] | undefined;
  onShipped: () => void;
}

/** Prints of all orders that wait to be packed, or that are packed: slips, labels, and what couriers need. */
export function SlipsAndLabels({ filter, counts, onShipped }: SlipsAndLabelsProps) {
  if (filter !== 'all' && filter !== 'to_pack' && filter !== 'packed') return null;
  const stage = filter === 'packed' ? 'packed' : 'to_pack';
  const count = counts?.[stage] ?? 0;
  if (count === 0 && (counts?.packed ?? 0) === 0) return null;
  return (
    <div className="mb-4">
      {count === 0 ? null : (
        <p>
          <a
            className="btn btn-secondary btn-small"
            href={orderDocuments.packingSlips(stage)}
            target="_blank"
            rel="noopener"
          >
            Print slips
            <span className="ml-1 font-normal text-ink-500">
              of {count} {stage === 'packed' ? 'packed' : 'to pack'}
            </span>
            <span className="visually-hidden"> (opens in a new tab)</span>
          </a>
          {filter === 'all' ? null : (
            <span className="ml-3 text-sm text-ink-500">Oldest first</span>
          )}
        </p>
      )}
      <details className="mt-2">
        <summary className="min-h-11 py-2.5 text-sm/relaxed font-medium">
          Labels and couriers
        </summary>
        <div className="flex flex-wrap gap-2 pb-2">
          {count === 0 ? null : <Labels stage={stage} />}
          <CourierTools stage={count === 0 ? null : stage} onShipped={onShipped} />
        </div>
      </details>
    </div>
  );
}

function Labels({ stage }: { stage: WaitingStage }) {
  return (['a4', 'thermal'] as const).map((sheet) => (
    <a
      key={sheet}
      className="btn btn-secondary btn-small"
      href={orderDocuments.labels(stage, sheet)}
      target="_blank"
      rel="noopener"
    >
      {sheet === 'a4' ? 'Labels, four to an A4 sheet' : 'Labels, thermal'}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  ));
}
