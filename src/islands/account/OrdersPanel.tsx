import type { OwnOrder } from '../../domain/orders/own-order.ts';
import { OrderCard } from './OrderCard.tsx';
import { PanelLoading } from './ProfilePanel.tsx';

/** The Orders tab, newest first. `orders` is null while they are read. */
export function OrdersPanel({ orders }: { orders: readonly OwnOrder[] | null }) {
  if (orders === null) return <PanelLoading text="Your orders are being read" />;
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
    <ul className="grid gap-6 pt-6">
      {orders.map((order) => (
        <li key={order.id}>
          <OrderCard order={order} />
        </li>
      ))}
    </ul>
  );
}
