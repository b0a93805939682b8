import type { OwnOrder } from '#domain/orders/own-order.ts';
import { OrderCard } from './OrderCard.tsx';
import { PanelLoading } from '#islands/account/ProfilePanel.tsx';

interface OrdersPanelProps {
  /** Null while they are fetched. */
  orders: readonly OwnOrder[] | null;
  /** Called after an order changed. */
  onChanged: () => void;
}

/** The Orders tab, newest first. */
export function OrdersPanel({ orders, onChanged }: OrdersPanelProps) {
  if (orders === null) return <PanelLoading text="Loading your orders" />;
  if (orders.length === 0) {
    return (
      <div className="empty-state">
        <p className="section-title font-display">No orders yet</p>
        <p className="text-ink-700">What you buy is listed here, with its status.</p>
        <a href="/shop" className="btn btn-primary">
          Start Shopping
        </a>
      </div>
    );
  }
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 pt-4">
      {orders.map((order) => (
        <li key={order.id}>
          <OrderCard order={order} startsOpen={orders.length === 1} onChanged={onChanged} />
        </li>
      ))}
    </ul>
  );
}
