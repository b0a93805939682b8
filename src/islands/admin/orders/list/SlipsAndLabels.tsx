import type { ListedOrder, OrderFilter } from '../../../../domain/admin/orders/orders.ts';
import {
  orderDocuments,
  type OrdersPart,
  type WaitingOrders,
  type WaitingStage,
} from '../../../../services/admin/orders/orders.ts';
import type { Selection } from '../../shared/use-selection.ts';
import { CourierTools } from '../parcels/CourierTools.tsx';

interface SlipsAndLabelsProps {
  filter: OrderFilter;
  counts: OrdersPart['counts'] | undefined;
  /** The orders of the list. */
  orders: readonly ListedOrder[];
  selection: Selection;
}

/** The stage whose orders a filter shows, which can be chosen there; null for a filter of several. */
export const stageOf = (filter: OrderFilter): WaitingStage | null =>
  filter === 'to_pack' || filter === 'packed' ? filter : null;

/** Prints of orders that wait to be packed, or that are packed: slips, labels, and what couriers need; of all, or of the chosen ones. */
export function SlipsAndLabels({ filter, counts, orders, selection }: SlipsAndLabelsProps) {
  if (filter !== 'all' && stageOf(filter) === null) return null;
  const stage = stageOf(filter) ?? 'to_pack';
  const count = counts?.[stage] ?? 0;
  if (count === 0 && (counts?.packed ?? 0) === 0) return null;
  const choosing = selection.active && stageOf(filter) !== null;
  // An order that left the list is not chosen any more.
  const ids = orders.flatMap(({ id }) => (selection.ids.has(String(id)) ? [id] : []));
  const nothing = count === 0 || (choosing && ids.length === 0);
  const waiting: WaitingOrders = { stage, chosen: choosing ? ids : null };
  const of = choosing
    ? `${String(ids.length)} chosen`
    : `${String(count)} ${stage === 'packed' ? 'packed' : 'to pack'}`;
  return (
    <div className="mb-4">
      <div className="flex flex-wrap items-center gap-2">
        {nothing ? null : (
          <a
            className="btn btn-secondary btn-small"
            href={orderDocuments.packingSlips(waiting)}
            target="_blank"
            rel="noopener"
          >
            Print slips
            <span className="ml-1 font-normal text-ink-500">of {of}</span>
            <span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        )}
        {choosing && ids.length === 0 ? (
          <span className="text-sm" role="status">
            Choose orders in the list.
          </span>
        ) : null}
        {stageOf(filter) === null || count === 0 ? null : (
          <button
            type="button"
            className="btn btn-quiet btn-small"
            onClick={choosing ? selection.end : selection.start}
          >
            {choosing ? 'All of them' : 'Choose orders'}
          </button>
        )}
        {filter === 'all' || choosing ? null : (
          <span className="text-sm text-ink-500">Oldest first</span>
        )}
      </div>
      <details className="mt-2">
        <summary className="min-h-11 py-2.5 text-sm/relaxed font-medium">
          Labels and couriers
        </summary>
        <div className="flex flex-wrap gap-2 pb-2">
          {nothing ? null : <Labels waiting={waiting} />}
          <CourierTools waiting={nothing ? null : waiting} />
        </div>
      </details>
    </div>
  );
}

function Labels({ waiting }: { waiting: WaitingOrders }) {
  return (['a4', 'thermal'] as const).map((sheet) => (
    <a
      key={sheet}
      className="btn btn-secondary btn-small"
      href={orderDocuments.labels(waiting, sheet)}
      target="_blank"
      rel="noopener"
    >
      {sheet === 'a4' ? 'Labels, four to an A4 sheet' : 'Labels, thermal'}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  ));
}
