import { fulfilmentBadge, paymentBadge } from '#domain/admin/orders/order-labels.ts';
import type { ListedOrder } from '#domain/admin/orders/orders.ts';

/** How the payment stands and where the parcel is. */
export function OrderBadges({ order, className = '' }: { order: ListedOrder; className?: string }) {
  const badges = [paymentBadge(order), fulfilmentBadge(order)];
  return (
    <span className={`flex flex-wrap gap-1.5 ${className}`}>
      {order.isTest ? <span className="badge badge-red">Test</span> : null}
      {badges.map((badge) =>
        badge === null ? null : (
          <span key={badge.label} className={`badge badge-${badge.tone}`}>
            {badge.label}
          </span>
        ),
      )}
      {order.notes.trim() === '' ? null : <span className="badge">Note</span>}
    </span>
  );
}
