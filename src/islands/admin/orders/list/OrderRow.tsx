import { useId } from 'react';
import type { ListedOrder } from '#domain/admin/orders/orders.ts';
import { orderHash } from '#domain/admin/orders/orders-address.ts';
import { indiaMoment } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import { useHold } from '#islands/admin/shared/use-hold.ts';
import type { Selection } from '#islands/admin/shared/use-selection.ts';
import { OrderBadges } from '#islands/admin/orders/detail/OrderBadges.tsx';

/** One order in the list: the whole row leads to it, or chooses it while orders are being chosen. */
export function OrderRow({
  order,
  selection,
  showsRefunds,
  onOpen,
}: {
  order: ListedOrder;
  selection: Selection;
  /** Says what went back, and when. */
  showsRefunds: boolean;
  onOpen: (id: number) => void;
}) {
  const boxId = useId();
  const id = String(order.id);
  const choosing = selection.active;
  const hold = useHold(choosing ? null : () => selection.toggle(id));
  const layout =
    'grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 py-3 hover:bg-mist lg:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_11rem_12rem_7.5rem] lg:items-center lg:gap-x-6';
  return (
    <li
      className="flex items-start border-b border-line [-webkit-touch-callout:none] max-lg:select-none"
      {...hold}
    >
      <label
        className={`mt-1.5 -ml-2.5 size-11 flex-none cursor-pointer place-items-center ${choosing ? 'grid' : 'hidden lg:grid'}`}
      >
        <span className="visually-hidden">Choose order {id}</span>
        <input
          id={boxId}
          type="checkbox"
          className="size-[1.375rem] accent-brand-700"
          checked={selection.ids.has(id)}
          onChange={() => selection.toggle(id)}
        />
      </label>
      {choosing ? (
        <label className={`cursor-pointer ${layout}`} htmlFor={boxId} data-order={id}>
          <RowText order={order} showsRefunds={showsRefunds} />
        </label>
      ) : (
        <a
          className={layout}
          href={orderHash(order.id)}
          data-order={id}
          onClick={() => {
            onOpen(order.id);
          }}
        >
          <RowText order={order} showsRefunds={showsRefunds} />
        </a>
      )}
    </li>
  );
}

/** What went back for an order, and what has not yet. */
function refundText({ refundSums: sums }: ListedOrder): string {
  if (!sums) return '';
  return [
    ...(sums.openPaise > 0 ? [`${formatRupees(sums.openPaise)} waits`] : []),
    ...(sums.donePaise > 0 ? [`${formatRupees(sums.donePaise)} went back`] : []),
  ]
    .join(', ')
    .concat(`, ${indiaMoment(sums.lastAt)}`);
}

function RowText({ order, showsRefunds }: { order: ListedOrder; showsRefunds: boolean }) {
  const others = order.pieces - 1;
  return (
    <>
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
      <span className="text-sm/relaxed wrap-anywhere text-ink-500">
        {order.firstItem || 'No items'}
        {others > 0 ? ` and ${String(others)} more ${others === 1 ? 'piece' : 'pieces'}` : ''}
      </span>
      <span className="text-xs/[1.6rem] text-ink-500">
        <time dateTime={order.createdAt}>{indiaMoment(order.createdAt)}</time>
      </span>
      {showsRefunds ? (
        <span className="col-span-full text-sm/relaxed lg:order-last">{refundText(order)}</span>
      ) : null}
      <OrderBadges order={order} className="col-span-full mt-1 lg:col-auto lg:mt-0" />
    </>
  );
}
