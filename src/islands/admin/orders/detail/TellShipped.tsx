import { shippedMessage, whatsappLink } from '#domain/admin/orders/contact-links.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';

/**
 * Opens WhatsApp with a message about a parcel that is on its way, with its tracking number and link. Renders nothing without a
 * phone number.
 */
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
