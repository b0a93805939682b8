import type { ListedOrder, OrderFilter } from '../../../../domain/admin/orders/orders.ts';
import type {
  OrdersPart,
  WaitingOrders,
  WaitingStage,
} from '../../../../services/admin/orders/orders.ts';
import type { Selection } from '../../shared/use-selection.ts';
import { foldedHeading, foldedTools, toolsInSight, type OrderTool } from './order-tools.ts';

interface WaitingToolsProps {
  filter: OrderFilter;
  counts: OrdersPart['counts'] | undefined;
  /** The orders of the list. */
  orders: readonly ListedOrder[];
  selection: Selection;
}

/** The stage whose orders a filter shows, which can be chosen there; null for a filter of several. */
export const stageOf = (filter: OrderFilter): WaitingStage | null =>
  filter === 'to_pack' || filter === 'packed' ? filter : null;

/** Tools of features for orders that wait to be packed, or that are packed; for all of them, or for the chosen ones. */
export function WaitingTools({ filter, counts, orders, selection }: WaitingToolsProps) {
  if (toolsInSight.length + foldedTools.length === 0) return null;
  if (filter !== 'all' && stageOf(filter) === null) return null;
  const stage = stageOf(filter) ?? 'to_pack';
  const count = counts?.[stage] ?? 0;
  if (count === 0 && (counts?.packed ?? 0) === 0) return null;
  const choosing = selection.active && stageOf(filter) !== null;
  // An order that left the list is not chosen any more.
  const ids = orders.flatMap(({ id }) => (selection.ids.has(String(id)) ? [id] : []));
  const nothing = count === 0 || (choosing && ids.length === 0);
  const waiting: WaitingOrders | null = nothing ? null : { stage, chosen: choosing ? ids : null };
  const shown = (tools: readonly OrderTool[]) =>
    tools.map(({ Tool, order }) => (
      <Tool
        key={order}
        waiting={waiting}
        count={
          choosing
            ? `${String(ids.length)} chosen`
            : `${String(count)} ${stage === 'packed' ? 'packed' : 'to pack'}`
        }
      />
    ));
  return (
    <div className="mb-4">
      <div className="flex flex-wrap items-center gap-2">
        {shown(toolsInSight)}
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
      {foldedTools.length === 0 ? null : (
        <details className="mt-2">
          <summary className="min-h-11 py-2.5 text-sm/relaxed font-medium">{foldedHeading}</summary>
          <div className="flex flex-wrap gap-2 pb-2">{shown(foldedTools)}</div>
        </details>
      )}
    </div>
  );
}
