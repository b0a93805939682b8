import { seller } from '../../seller.config.ts';
import { deliveryWindow, type DeliveryWindow } from '../checkout/delivery.ts';
import type { Order } from './order.ts';

/** When a paid order was promised to arrive by standard shipping; null for one that is not paid, handed over, or at its end. */
export function promisedDelivery({
  paidAt,
  delivery,
  deliveryNotice,
  handedOver,
}: Pick<Order, 'paidAt' | 'delivery' | 'deliveryNotice' | 'handedOver'>): DeliveryWindow | null {
  const { fulfilment } = delivery;
  if (paidAt === null || handedOver || fulfilment === 'delivered' || fulfilment === 'cancelled')
    return null;
  const paid = new Date(paidAt);
  const { processing, standard } = seller.shipping;
  return Number.isNaN(paid.getTime())
    ? null
    : deliveryWindow(paid, processing, standard, deliveryNotice);
}
