import { cashToCollect, type CashOfOrder } from '#domain/orders/order-cash.ts';

interface SentOrder {
  delivery: { fulfilment: string };
  cash: CashOfOrder | null;
}

/**
 * Whether damage can be reported: as soon as the parcel is on its way, because customers open it before the shop marks it delivered. One
 * that is paid at the door may be refused until then. Same as SQL `private.is_claimable`, which also knows refunds.
 */
export const isClaimable = (order: SentOrder): boolean =>
  order.delivery.fulfilment === 'delivered' ||
  (order.delivery.fulfilment === 'shipped' && cashToCollect(order) === null);
