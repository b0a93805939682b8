import { shippedMessage, whatsappLink } from '../../../../domain/admin/orders/contact-links.ts';
import type { AdminOrder } from '../../../../domain/admin/orders/orders.ts';

/** Once a parcel is on its way: WhatsApp with its tracking number and link, written already. Nothing without a phone number. */
export function TellShipped({ order }: { order: AdminOrder }) {
  if (order.fulfilment !== 'shipped') return null;
  const href = whatsappLink(order.customerPhone, shippedMessage(order));
  return href === null ? null : (
    <a
      className="btn btn-secondary btn-small"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
    >
      Tracking by WhatsApp
      <span className="visually-hidden"> to {order.customerName}</span>
    </a>
  );
}
