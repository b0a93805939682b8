import { indiaCalendarDay } from '#domain/calendar-day.ts';
import {
  deliveryWindow,
  formatDeliveryWindow,
  type DeliveryWindow,
} from '#domain/checkout/delivery.ts';
import type { Order } from './order.ts';

type Promised = Pick<
  Order,
  'createdAt' | 'paidAt' | 'cash' | 'delivery' | 'deliveryNotice' | 'handedOver' | 'terms'
>;

/**
 * The first and the last moment from which an order is under way: its payment, or the shop's word for one that is paid at the door. While
 * the shop has not given it, that may be any moment until it has to.
 */
function soldBetween({
  createdAt,
  paidAt,
  cash,
}: Promised): readonly [string | null, string | null] {
  if (cash === null) return [paidAt, paidAt];
  if (cash.state !== 'to_confirm') return [cash.confirmedAt, cash.confirmedAt];
  return [createdAt, cash.until ?? createdAt];
}

/**
 * When an order is to arrive by standard shipping. Null for one that is not sold or reserved, handed over, or at its end. A parcel that
 * was sent later than promised is counted from the day on which it was sent.
 */
export function promisedDelivery(order: Promised): DeliveryWindow | null {
  const { delivery, deliveryNotice, handedOver } = order;
  if (handedOver || !['new', 'packed', 'shipped'].includes(delivery.fulfilment)) return null;
  const { processing, standard } = order.terms;
  const windowFrom = (at: string | null, packing: string, notice = deliveryNotice) => {
    const moment = new Date(at ?? Number.NaN);
    return Number.isNaN(moment.getTime())
      ? null
      : deliveryWindow(moment, packing, standard, notice);
  };
  const [earliest, latest] = soldBetween(order).map((at) => windowFrom(at, processing));
  if (!earliest || !latest) return null;
  const sent = windowFrom(delivery.shippedAt, '0 days', null) ?? earliest;
  return { first: Math.max(earliest.first, sent.first), last: Math.max(latest.last, sent.last) };
}

/** 'Mon 30 Nov – Thu 3 Dec', and what it depends on; '' when nothing is expected. */
export function expectedDays(order: Parameters<typeof expectedDelivery>[0]): string {
  const expected = expectedDelivery(order);
  if (expected === null) return '';
  return `${formatDeliveryWindow(expected)}${order.cash?.state === 'to_confirm' ? ', once it is confirmed' : ''}`;
}

/** When the parcel is expected; null when nothing comes, and once those days are over. */
export function expectedDelivery(order: Promised & Pick<Order, 'refund'>): DeliveryWindow | null {
  const promised =
    order.refund === 'whole' || order.refund === 'due' ? null : promisedDelivery(order);
  return promised !== null && promised.last >= indiaCalendarDay(new Date()) ? promised : null;
}
