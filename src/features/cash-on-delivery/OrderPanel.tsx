import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { LazyPart } from '#islands/admin/shared/fetching/LazyPart.tsx';

interface OrderPanelProps {
  order: AdminOrder;
  onOrder: (order: AdminOrder) => void;
  onUnknownOutcome: () => void;
}

const load = () => import('./CashPanel.tsx').then((module) => module.CashPanel);

/**
 * What the admin does with an order that is paid at the door; nothing for any other. Also in a shop that has none any more: its open
 * orders are still to be confirmed, paid and refused.
 */
export function OrderPanel(props: OrderPanelProps) {
  return props.order.cash !== null ? <LazyPart load={load} props={props} /> : null;
}
