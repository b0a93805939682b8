import type { Paise } from '#domain/money.ts';
import { orderStatus, type OrderStatus } from '#domain/orders/order-status.ts';
import type { AdminOrder, ListedOrder, OrderFilter } from './orders.ts';
import type { Fulfilment } from '#domain/orders/order-row.ts';

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
  'status' | 'paymentStatus' | 'refundedPaise' | 'openRefund' | 'totalPaise' | 'cash'
>;

const cashBadges: Partial<Record<NonNullable<ListedOrder['cash']>['state'], Badge>> = {
  to_confirm: { label: 'To confirm', tone: 'yellow' },
  due: { label: 'Cash due', tone: 'yellow' },
  ended: { label: 'Ended', tone: 'grey' },
};

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
  cash,
}: PaymentFields): Badge {
  if (openRefund !== null) return openRefundBadges[openRefund];
  const ofCash = cash === null ? undefined : cashBadges[cash.state];
  // What goes back of an advance says more than that the rest was never paid.
  const isEnded = cash?.state === 'ended';
  if (ofCash !== undefined && !isEnded) return ofCash;
  const raw = paymentStatus.trim() || status;
  const badge =
    paymentBadges[raw.toUpperCase()] ?? paymentBadges[orderStatus(raw).label] ?? orderStatus(raw);
  if (isEnded && refundedPaise === 0 && !raw.toUpperCase().includes('REFUND'))
    return ofCash ?? badge;
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

/** The badge of the delivery step; null for an order that is not sold. */
export function fulfilmentBadge(order: Pick<ListedOrder, 'sold' | 'fulfilment'>): Badge | null {
  return order.fulfilment === 'new' && !order.sold ? null : fulfilmentBadges[order.fulfilment];
}

export const filterLabels: Readonly<Record<OrderFilter, string>> = {
  all: 'All',
  to_confirm: 'To confirm',
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
  order: Pick<ListedOrder, 'sold' | 'fulfilment' | 'handedOver'>,
): OrderActions['forward'] =>
  order.sold || !isHere(order)
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
    cancel:
      here &&
      (order.sold ||
        order.cash?.state === 'to_confirm' ||
        paymentBadge(order).label === 'Not paid'),
  };
}

/** What goes back when an order is cancelled now, in paise, and what it is: 'the full amount'. */
export function cancelRefundOf({
  cash,
  totalPaise,
  refundedPaise,
  refundablePaise,
  advanceLeftPaise,
}: Pick<
  AdminOrder,
  'cash' | 'totalPaise' | 'refundedPaise' | 'refundablePaise' | 'advanceLeftPaise'
>): { paise: Paise; name: string } {
  if (cash?.state === 'to_confirm' || cash?.state === 'due')
    return {
      paise: advanceLeftPaise,
      name:
        advanceLeftPaise < totalPaise - cash.due ? 'what is left of the advance' : 'the advance',
    };
  return {
    paise: refundablePaise,
    name: refundedPaise > 0 ? 'the rest of the payment' : 'the full amount',
  };
}
