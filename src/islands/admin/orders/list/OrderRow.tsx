import type { ListedOrder } from '../../../../domain/admin/orders.ts';
import { orderHash } from '../../../../domain/admin/orders-address.ts';
import { indiaMoment } from '../../../../domain/india-dates.ts';
import { formatRupees } from '../../../../domain/money.ts';
import { OrderBadges } from './OrderBadges.tsx';

/** One order in the list: the whole row leads to it. */
export function OrderRow({ order, onOpen }: { order: ListedOrder; onOpen: (id: number) => void }) {
  const others = order.pieces - 1;
  return (
    <li>
      <a
        className="order-row"
        href={orderHash(order.id)}
        data-order={order.id}
        onClick={() => {
          onOpen(order.id);
        }}
      >
        <span className="order-row-who">
          <span className="order-row-number">
            <span className="visually-hidden">Order </span>
            {order.id}
          </span>{' '}
          <span className="font-medium">{order.customerName || 'No name'}</span>
          {order.city ? <span className="text-ink-500"> · {order.city}</span> : null}
        </span>
        <span className="order-row-total">{formatRupees(order.totalPaise)}</span>
        <span className="order-row-items">
          {order.firstItem || 'No items'}
          {others > 0 ? ` and ${String(others)} more ${others === 1 ? 'piece' : 'pieces'}` : ''}
        </span>
        <span className="order-row-when">
          <time dateTime={order.createdAt}>{indiaMoment(order.createdAt)}</time>
        </span>
        <OrderBadges order={order} className="order-row-badges" />
      </a>
    </li>
  );
}
