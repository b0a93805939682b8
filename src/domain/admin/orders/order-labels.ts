import { orderStatus, type OrderStatus } from '../../orders/order-status.ts';
import type { AdminOrder, ListedOrder, OrderFilter } from './orders.ts';
import type { Fulfilment } from '../../orders/order-row.ts';

type Badge = OrderStatus;

const paymentBadges: Readonly<Record<string, Badge>> = {
  COMPLETED: { label: 'Paid', tone: 'green' },
  PENDING: { label: 'Not paid', tone: 'yellow' },
  FAILED: { label: 'Payment failed', tone: 'red' },
  REFUND_DUE: { label: 'Refund due', tone: 'yellow' },
  REFUNDED: { label: 'Refunded', tone: 'grey' },
  PARTIALLY_REFUNDED: { label: 'Partly refunded', tone: 'grey' },
};

type PaymentFields = Pick<
  ListedOrder,
  'status' | 'paymentStatus' | 'refundedPaise' | 'openRefund' | 'totalPaise'
>;

const openRefundBadges: Readonly<Record<NonNullable<ListedOrder['openRefund']>, Badge>> = {
  waiting: { label: 'Refund on its way', tone: 'yellow' },
  failed: { label: 'Refund failed', tone: 'red' },
};

/** The payment's badge for the admin. Unknown statuses are shown unchanged. */
export function paymentBadge({
  status,
  paymentStatus,
  refundedPaise,
  openRefund,
  totalPaise,
}: PaymentFields): Badge {
  if (openRefund !== null) return openRefundBadges[openRefund];
  const raw = paymentStatus.trim() || status;
  const badge =
    paymentBadges[raw.toUpperCase()] ?? paymentBadges[orderStatus(raw).label] ?? orderStatus(raw);
  if (badge.label !== 'Paid' || refundedPaise <= 0) return badge;
  return { label: refundedPaise >= totalPaise ? 'Refunded' : 'Partly refunded', tone: 'grey' };
}

export const fulfilmentBadges: Readonly<Record<Fulfilment, Badge>> = {
  new: { label: 'To pack', tone: 'yellow' },
  packed: { label: 'Packed', tone: 'yellow' },
  shipped: { label: 'Shipped', tone: 'green' },
  delivered: { label: 'Delivered', tone: 'green' },
  cancelled: { label: 'Cancelled', tone: 'red' },
  unknown: { label: 'Unknown state', tone: 'grey' },
};

/** The badge of the delivery step; null for an unpaid order. */
export function fulfilmentBadge(order: Pick<ListedOrder, 'paid' | 'fulfilment'>): Badge | null {
  return order.fulfilment === 'new' && !order.paid ? null : fulfilmentBadges[order.fulfilment];
}

export const filterLabels: Readonly<Record<OrderFilter, string>> = {
  all: 'All',
  to_pack: 'To pack',
  packed: 'Packed',
  shipped: 'Shipped',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
  unpaid: 'Not paid',
  refunds: 'Refunds',
};

/** Says whether the customer is notified of a change by mail. */
export const toldText = ({ customerEmail }: Pick<ListedOrder, 'customerEmail'>): string =>
  customerEmail === ''
    ? 'There is no e-mail address to notify the customer.'
    : `${customerEmail} is notified by e-mail.`;

/** The possible actions on an order. The server decides; this only hides buttons that it would refuse. */
export interface OrderActions {
  /** The next steps in order: a parcel may be packed and shipped at once. */
  forward: readonly ('packed' | 'shipped' | 'delivered')[];
  /** One step back, to correct a mistake. */
  back: 'new' | 'packed' | 'shipped' | null;
  refund: boolean;
  cancel: boolean;
}

const forward = {
  new: ['packed', 'shipped'],
  packed: ['shipped', 'delivered'],
  shipped: ['delivered'],
  delivered: [],
  cancelled: [],
  unknown: [],
} as const;
/** An order for hand-over is not sent: it may be handed over now or later. */
const forwardByHand = { ...forward, new: ['delivered', 'packed'], packed: ['delivered'] } as const;
const back = {
  new: null,
  packed: 'new',
  shipped: 'packed',
  delivered: 'shipped',
  cancelled: null,
  unknown: null,
} as const;

/** Whether an order has not left the shop. */
export const isHere = ({ fulfilment }: Pick<ListedOrder, 'fulfilment'>): boolean =>
  fulfilment === 'new' || fulfilment === 'packed';

/** The next steps of an order. A parcel that was sent can be delivered, also after a refund. */
export const forwardOf = (
  order: Pick<ListedOrder, 'paid' | 'fulfilment' | 'handedOver'>,
): OrderActions['forward'] =>
  order.paid || !isHere(order)
    ? (order.handedOver ? forwardByHand : forward)[order.fulfilment]
    : [];

export function orderActions(order: AdminOrder): OrderActions {
  const here = isHere(order);
  return {
    forward: forwardOf(order),
    // A handed-over order was never shipped.
    back:
      order.fulfilment === 'delivered' && order.shippedAt === null
        ? 'packed'
        : back[order.fulfilment],
    refund: order.refundablePaise > 0,
    cancel: here && (order.paid || paymentBadge(order).label === 'Not paid'),
  };
}
