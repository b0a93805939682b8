import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { offersCash } from '#services/environment.ts';
import { LazyPart } from '#islands/admin/shared/fetching/LazyPart.tsx';

interface OrderPanelProps {
  order: AdminOrder;
  onOrder: (order: AdminOrder) => void;
  onUnknownOutcome: () => void;
}

const load = () => import('./CashPanel.tsx').then((module) => module.CashPanel);

/** What the admin does with an order that is paid at the door; nothing for any other. A shop without it carries no code of it. */
export function OrderPanel(props: OrderPanelProps) {
  return offersCash && props.order.cash !== null ? <LazyPart load={load} props={props} /> : null;
}
