import { seller } from '../../settings/seller.ts';
import { indiaCalendarDay } from '../calendar-day.ts';
import { deliveryWindow, type DeliveryWindow } from '../checkout/delivery.ts';
import type { Order } from './order.ts';

/**
 * When an order was promised to arrive by standard shipping, counted from its payment, or from the shop's word for one that is paid at
 * the door. Null for one that is neither, handed over, or at its end.
 */
export function promisedDelivery({
  paidAt,
  cash,
  delivery,
  deliveryNotice,
  handedOver,
}: Pick<
  Order,
  'paidAt' | 'cash' | 'delivery' | 'deliveryNotice' | 'handedOver'
>): DeliveryWindow | null {
  const isUnderWay = ['new', 'packed', 'shipped'].includes(delivery.fulfilment);
  const soldAt = cash === null ? paidAt : cash.confirmedAt;
  if (soldAt === null || handedOver || !isUnderWay) return null;
  const sold = new Date(soldAt);
  const { processing, standard } = seller.shipping;
  return Number.isNaN(sold.getTime())
    ? null
    : deliveryWindow(sold, processing, standard, deliveryNotice);
}

/** When the parcel is expected; null when nothing comes, and once those days are over. */
export function expectedDelivery(
  order: Pick<Order, 'paidAt' | 'cash' | 'delivery' | 'deliveryNotice' | 'handedOver' | 'refund'>,
): DeliveryWindow | null {
  const promised =
    order.refund === 'whole' || order.refund === 'due' ? null : promisedDelivery(order);
  return promised !== null && promised.last >= indiaCalendarDay(new Date()) ? promised : null;
}
