import type { OrderFilter } from '../../../../domain/admin/orders/orders.ts';
import type {
  OrdersPart,
  WaitingOrders,
  WaitingStage,
} from '../../../../services/admin/orders/orders.ts';
import { foldedHeading, foldedTools, toolsInSight, type OrderTool } from './order-tools.ts';

interface WaitingToolsProps {
  filter: OrderFilter;
  counts: OrdersPart['counts'] | undefined;
}

/** Tools of features for all orders that wait to be packed, or that are packed. */
export function WaitingTools({ filter, counts }: WaitingToolsProps) {
  if (filter !== 'all' && filter !== 'to_pack' && filter !== 'packed') return null;
  const stage: WaitingStage = filter === 'packed' ? 'packed' : 'to_pack';
  const count = counts?.[stage] ?? 0;
  if (count === 0 && (counts?.packed ?? 0) === 0) return null;
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
        {shown(toolsInSight)}
        {filter === 'all' ? null : <span className="text-sm text-ink-500">Oldest first</span>}
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
