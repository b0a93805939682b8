import * as z from 'zod/mini';
import { orderTitle, type Order } from '#domain/orders/order.ts';
import { seller } from '#settings/seller.ts';
import { shop } from '#settings/shop.ts';
import { letter, plainLink, section, type Mail } from '#core/mail/mail.ts';
import {
  addressText,
  cashReady,
  expectedSentence,
  ordersLink,
  orderSteps,
  trackLink,
} from '#core/mail/mail-order.ts';

export const shippedPayloadSchema = z.object({
  carrier: z.string(),
  tracking_number: z.nullable(z.string()),
  tracking_url: z.nullable(z.string()),
});
export type ShippedPayload = z.infer<typeof shippedPayloadSchema>;

/** Whether a text is a link: mails link https addresses alone. */
const isLink = (address: string | null): address is string =>
  address !== null && /^https:\/\/\S+$/u.test(address);

/** Composes the mail to the customer when the parcel ships, with carrier, tracking number and items. */
export function composeShippedNotice(order: Order, parcel: ShippedPayload): Mail {
  const going = `${orderTitle(order)} is on its way to you.${expectedSentence(order)}`;
  const number = parcel.tracking_number;
  const byCarrier = `Carrier: ${parcel.carrier}\n${number === null ? 'Without a tracking number' : `Tracking number: ${number}`}`;
  const link = isLink(parcel.tracking_url) ? parcel.tracking_url : null;
  const inside = order.items
    .map(({ name, quantity }) => `${name} × ${String(quantity)}`)
    .join('\n');
  const damage = `Please check the parcel when it arrives: damage must be reported within ${String(order.terms.damageHours)} hours of delivery. Film how you open it. If something is broken, answer this e-mail, or write to ${seller.contact.emails[0]}, with a photo and your order number.`;
  return letter({
    subject: `${orderTitle(order)} is on its way – ${shop.name}`,
    title: 'Your order is on its way',
    parts: [
      going,
      order.cash?.state === 'due' ? cashReady(order) : null,
      orderSteps(order),
      trackLink(order),
      byCarrier,
      link === null ? null : plainLink('Follow the parcel at the carrier', link),
      number === null ? null : 'It can take a day before the carrier shows the parcel.',
      inside === '' ? null : section('In the parcel', inside),
      section('Delivery to', addressText(order)),
      ordersLink(),
      damage,
    ],
  });
}
