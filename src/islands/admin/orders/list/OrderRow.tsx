import type { ListedOrder } from '../../../../domain/admin/orders/orders.ts';
import { orderHash } from '../../../../domain/admin/orders/orders-address.ts';
import { indiaMoment } from '../../../../domain/india-dates.ts';
import { formatRupees } from '../../../../domain/money.ts';
import type { Selection } from '../../shared/use-selection.ts';
import { OrderBadges } from '../detail/OrderBadges.tsx';

/** One order in the list: the whole row leads to it. */
export function OrderRow({
  order,
  selection,
  onOpen,
}: {
  order: ListedOrder;
  /** Null when orders are not being chosen. */
  selection: Selection | null;
  onOpen: (id: number) => void;
}) {
  const others = order.pieces - 1;
  return (
    <li className="flex items-start border-b border-line">
      {selection ? (
        <label className="mt-1.5 -ml-2.5 grid size-11 flex-none cursor-pointer place-items-center">
          <span className="visually-hidden">Choose order {order.id}</span>
          <input
            type="checkbox"
            className="size-[1.375rem] accent-brand-700"
            checked={selection.ids.has(String(order.id))}
            onChange={() => selection.toggle(String(order.id))}
          />
        </label>
      ) : null}
      <a
        className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 py-3 hover:bg-mist lg:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_11rem_12rem_7.5rem] lg:items-center lg:gap-x-6"
        href={orderHash(order.id)}
        data-order={order.id}
        onClick={() => {
          onOpen(order.id);
        }}
      >
        <span className="wrap-anywhere">
          <span className="mr-1 font-medium text-accent-700 tabular-nums">
            <span className="visually-hidden">Order </span>
            {order.id}
          </span>{' '}
          <span className="font-medium">{order.customerName || 'No name'}</span>
          {order.city ? <span className="text-ink-500"> · {order.city}</span> : null}
        </span>
        <span className="text-right font-medium tabular-nums lg:order-last">
          {formatRupees(order.totalPaise)}
        </span>
        <span className="truncate text-sm/relaxed text-ink-500">
          {order.firstItem || 'No items'}
          {others > 0 ? ` and ${String(others)} more ${others === 1 ? 'piece' : 'pieces'}` : ''}
        </span>
        <span className="text-xs/[1.6rem] text-ink-500">
          <time dateTime={order.createdAt}>{indiaMoment(order.createdAt)}</time>
        </span>
        <OrderBadges order={order} className="col-span-full mt-1 lg:col-auto lg:mt-0" />
      </a>
    </li>
  );
}
