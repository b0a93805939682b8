import type { OrderFilter } from '#domain/admin/orders/orders.ts';
import type { OrdersPart, WaitingOrders, WaitingStage } from '#services/admin/orders/orders.ts';
import { foldedHeading, foldedTools, toolsInSight, type OrderTool } from './order-tools.ts';

interface WaitingToolsProps {
  filter: OrderFilter;
  counts: OrdersPart['counts'] | undefined;
}

const sentTools = toolsInSight.filter(({ isForSent }) => isForSent === true);
const waitingFilters: readonly OrderFilter[] = ['all', 'to_pack', 'packed'];
const sentFilters: readonly OrderFilter[] = ['shipped', 'delivered'];

/** Tools of features for all orders that wait to be packed, or that are packed, and for those that were sent. */
export function WaitingTools({ filter, counts }: WaitingToolsProps) {
  const isWaiting = waitingFilters.includes(filter);
  const stage: WaitingStage = filter === 'packed' ? 'packed' : 'to_pack';
  const count = counts?.[stage] ?? 0;
  const someWait = isWaiting && (count > 0 || (counts?.packed ?? 0) > 0);
  const inSight = someWait
    ? toolsInSight
    : isWaiting || sentFilters.includes(filter)
      ? sentTools
      : [];
  if (inSight.length === 0 && !someWait) return null;
  const waiting: WaitingOrders | null = count === 0 ? null : { stage, chosen: null };
  const shown = (tools: readonly OrderTool[]) =>
    tools.map(({ Tool, order }) => (
      <Tool
        key={order}
        waiting={waiting}
        count={`${String(count)} ${stage === 'packed' ? 'packed' : 'to pack'}`}
      />
    ));
  return (
    <div className="mb-4">
      <div className="flex flex-wrap items-center gap-2">
        {shown(inSight)}
        {filter === 'all' || !someWait ? null : (
          <span className="text-sm text-ink-500">Oldest first</span>
        )}
      </div>
      {foldedTools.length === 0 || !someWait ? null : (
        <details className="mt-2">
          <summary className="min-h-11 py-2.5 text-sm/relaxed font-medium">{foldedHeading}</summary>
          <div className="flex flex-wrap gap-2 pb-2">{shown(foldedTools)}</div>
        </details>
      )}
    </div>
  );
}
