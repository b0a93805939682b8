import { seller } from '../../settings/seller.ts';
import { indiaCalendarDay } from '../calendar-day.ts';
import { deliveryWindow, type DeliveryWindow } from '../checkout/delivery.ts';
import type { Order } from './order.ts';

/** When a paid order was promised to arrive by standard shipping; null for one that is not paid, handed over, or at its end. */
export function promisedDelivery({
  paidAt,
  delivery,
  deliveryNotice,
  handedOver,
}: Pick<Order, 'paidAt' | 'delivery' | 'deliveryNotice' | 'handedOver'>): DeliveryWindow | null {
  const isUnderWay = ['new', 'packed', 'shipped'].includes(delivery.fulfilment);
  if (paidAt === null || handedOver || !isUnderWay) return null;
  const paid = new Date(paidAt);
  const { processing, standard } = seller.shipping;
  return Number.isNaN(paid.getTime())
    ? null
    : deliveryWindow(paid, processing, standard, deliveryNotice);
}

/** When the parcel is expected; null when nothing comes, and once those days are over. */
export function expectedDelivery(
  order: Pick<Order, 'paidAt' | 'delivery' | 'deliveryNotice' | 'handedOver' | 'refund'>,
): DeliveryWindow | null {
  const promised =
    order.refund === 'whole' || order.refund === 'due' ? null : promisedDelivery(order);
  return promised !== null && promised.last >= indiaCalendarDay(new Date()) ? promised : null;
}
