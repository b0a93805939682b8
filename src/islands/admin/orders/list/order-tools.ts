import type { ComponentType } from 'react';
import type { WaitingOrders } from '#services/admin/orders/orders.ts';

/** A tool for orders that wait to be packed or sent, or for sent ones. Features add theirs as `src/features/NAME/order-tools.ts`. */
export interface OrderTool {
  /** `waiting` is null when no order waits. `count` says how many, e.g. '3 to pack'. */
  Tool: ComponentType<{ waiting: WaitingOrders | null; count: string }>;
  /** Tools stand in this order. */
  order: number;
  /** Its orders have a parcel: it leaves out those that are handed over. */
  isForParcels: boolean;
  /** It is for orders that were sent, so it is shown whether or not one waits. Chosen orders do not have it. */
  isForSent?: true;
  /** What it is for, in the heading under which it is folded, e.g. 'labels'. Null: always in sight. */
  folded: string | null;
}

const tools = Object.values(
  import.meta.glob<readonly OrderTool[]>('../../../../features/*/order-tools.ts', {
    eager: true,
    import: 'tools',
  }),
)
  .flat()
  .sort((a, b) => a.order - b.order);

export const toolsInSight = tools.filter(({ folded }) => folded === null);
export const foldedTools = tools.filter(({ folded }) => folded !== null);

/** The heading of the folded tools, e.g. 'Labels and couriers'. */
export const foldedHeading = foldedTools
  .map(({ folded }, index) =>
    index === 0 ? folded?.replace(/^./u, (first) => first.toUpperCase()) : folded,
  )
  .join(' and ');
