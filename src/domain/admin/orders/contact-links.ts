import { shop } from '#settings/shop.ts';
import { readPhone } from '#domain/checkout/phone.ts';
import { recipientOf } from '#domain/orders/recipient.ts';
import { formatRupees, type Paise } from '#domain/money.ts';
import type { AdminOrder } from './orders.ts';

/** The address as it is written on a parcel: one block to copy. */
export function addressBlock(order: AdminOrder): string {
  const { name, phone } = recipientOf(order);
  const cityLine = [order.city, order.postalCode].filter(Boolean).join(' ');
  const lines = [name, order.address, cityLine, order.state ?? '', phone && `Phone ${phone}`];
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
}

/** A number for `tel:`: digits and a leading plus. Null when it is too short to be one. */
export function telLink(phone: string): string | null {
  const digits = phone.replaceAll(/\D/gu, '');
  if (digits.length < 8) return null;
  return `tel:${phone.trim().startsWith('+') ? '+' : ''}${digits}`;
}

/** A WhatsApp chat with the customer. A number that is not India's counts as one with its country's code. */
export function whatsappLink(phone: string, text: string): string | null {
  const indian = readPhone(phone);
  const number = indian === null ? phone.replaceAll(/\D/gu, '').replace(/^0+/u, '') : `91${indian}`;
  if (number.length < 10) return null;
  return `https://wa.me/${number}?text=${encodeURIComponent(text)}`;
}

/** The WhatsApp text about an invoice. `ordersPage` is the URL of the customer's own orders, which link to the document. */
export const invoiceMessage = (
  { id, invoiceNumber, totalPaise }: Pick<AdminOrder, 'id' | 'invoiceNumber' | 'totalPaise'>,
  ordersPage: string,
): string =>
  `Your invoice ${invoiceNumber ?? ''} over ${formatRupees(totalPaise)} for order ${String(id)} at ${shop.name} is ready. Sign in and open the order to see or print it: ${ordersPage}`;

/** The WhatsApp text about a parcel that is on its way, with the link that follows it. */
export const shippedMessage = ({
  id,
  carrier,
  trackingNumber,
  trackingUrl,
  cash,
}: Pick<AdminOrder, 'id' | 'carrier' | 'trackingNumber' | 'trackingUrl' | 'cash'>): string =>
  [
    `Your order ${String(id)} at ${shop.name} is on its way with ${carrier ?? 'the post'}`,
    trackingNumber ? `, tracking number ${trackingNumber}.` : '.',
    trackingUrl ? ` Follow it here: ${trackingUrl}` : '',
    cash?.state === 'due' ? ` Please have ${formatRupees(cash.due)} in cash ready.` : '',
  ].join('');

/** The WhatsApp text that asks a customer to confirm an order that is paid at the door. */
export const confirmMessage = (
  { id, customerName, items }: Pick<AdminOrder, 'id' | 'customerName' | 'items'>,
  due: Paise,
): string =>
  `Hello ${customerName}, thank you for order ${String(id)} at ${shop.name}: ${items
    .map(({ name, quantity }) => (quantity > 1 ? `${name} × ${String(quantity)}` : name))
    .join(
      ', ',
    )}. ${formatRupees(due)} is to be paid in cash when it arrives. Shall we send it? Please answer YES.`;

/** A `mailto:` link. Null for an invalid address. */
export function mailLink(address: string, subject: string): string | null {
  if (!/^[^\s@?&]+@[^\s@?&]+$/u.test(address.trim())) return null;
  return `mailto:${encodeURIComponent(address.trim()).replace('%40', '@')}?subject=${encodeURIComponent(subject)}`;
}

/** 'Re: ' before a subject that does not begin with it. */
export function replySubject(subject: string, fallback: string): string {
  const plain = subject.trim() || fallback;
  return /^re:/iu.test(plain) ? plain : `Re: ${plain}`;
}
