import * as z from 'zod/mini';
import { formatRupees } from '../../../src/domain/money.ts';
import type { Order } from '../../../src/domain/orders/order.ts';
import { callFunction } from '../platform/database.ts';
import { html } from '../platform/html.ts';
import { letter, paragraph, type Mail } from './mail.ts';
import { adminLink, orderTitle } from './mail-order.ts';

/** The alerts to the admin, mailed once per `dedupeKey`. */
export type AlertTopic =
  | 'unknown_orders'
  | 'refund_made_at_razorpay'
  | 'dispute'
  | 'cancelled_by_customer'
  | 'damage_claim'
  | 'difference'
  | 'card_testing'
  | 'stock_held'
  | 'sweep_silent'
  | 'webhook_silent'
  | 'build_silent';

/** Puts an alert to the admin into the outbox; a second one with the same key is not sent. */
export async function notifyAdmin(
  topic: AlertTopic,
  payload: Readonly<Record<string, unknown>>,
  dedupeKey: string,
): Promise<void> {
  await callFunction(
    'notify_admin',
    { p_topic: topic, p_payload: payload, p_dedupe_key: dedupeKey },
    z.unknown(),
  );
}

export const alertPayloadSchema = z.object({
  topic: z.string(),
  payment_id: z.optional(z.string()),
  amount_paise: z.optional(z.int()),
  key_id: z.optional(z.string()),
  event: z.optional(z.string()),
  kind: z.optional(z.string()),
  since: z.optional(z.string()),
  reason: z.optional(z.string()),
});
type AlertPayload = z.infer<typeof alertPayloadSchema>;

interface Alert {
  subject: string;
  title: string;
  text: string;
}

const differences: Readonly<Record<string, string>> = {
  amount_differs:
    'Razorpay has another amount for this payment than the shop recorded. Compare the two in the Razorpay dashboard and on the order.',
  refunds_differ:
    'Razorpay has refunded another sum of this payment than the shop recorded. Compare the refunds in the Razorpay dashboard and on the order.',
  not_at_razorpay:
    'The shop recorded this payment, but Razorpay does not know it. Do not send the order before you have seen the payment in the Razorpay dashboard.',
};

/** Formats a time for the admin, in India's time. */
const clock = (since: string | undefined): string =>
  since === undefined
    ? 'some time'
    : `${new Date(since).toLocaleString('en-IN', { timeZone: 'Asia/Kolkata', dateStyle: 'medium', timeStyle: 'short' })} (India)`;

function alertOf({ topic, kind, event, key_id: keyId, since, reason }: AlertPayload): Alert {
  switch (topic) {
    case 'unknown_orders':
      return {
        subject: 'Open orders that Razorpay does not know',
        title: 'Razorpay does not know some open orders',
        text: `They were made with other API keys than the present ones (${keyId ?? 'unknown'}), for example with test keys before the shop went live. Nobody can pay them any more, so they have ended and their stock is free again. You need to do nothing.`,
      };
    case 'refund_made_at_razorpay':
      return {
        subject: 'A refund was made at Razorpay',
        title: 'A refund was made outside the shop',
        text: 'Somebody refunded this payment in the Razorpay dashboard. The order shows it now. If all of it was refunded, do not send the order; what was sold is not returned to stock by itself.',
      };
    case 'dispute':
      return {
        subject: `A dispute: ${event ?? 'news'}`,
        title: 'A buyer disputes a payment',
        text: `Razorpay says: ${event ?? 'a dispute has changed'}. Answer it in the Razorpay dashboard, with the invoice and the tracking number, before its date is over. Do not refund it in the shop while it is open.`,
      };
    case 'cancelled_by_customer':
      return {
        subject: 'A customer cancelled an order',
        title: 'A customer cancelled an order',
        text: 'The customer cancelled this order before it was packed. Its items are back in stock and the refund is on its way. Do not pack it.',
      };
    case 'damage_claim':
      return {
        subject: 'A customer reports damage',
        title: 'A customer reports damage',
        text: 'Something of this order arrived damaged. The order shows what happened, with photos. Answer it there with a refund, a replacement or a reason; the customer gets your answer by e-mail.',
      };
    case 'card_testing':
      return {
        subject: 'Somebody may be trying stolen cards',
        title: 'Many payments fail',
        text: 'At least 30 payments failed within an hour, which looks like somebody trying stolen cards in your shop. The shop closes an order after ten failed payments and makes its account wait for an hour. Look at the failed payments in the Razorpay dashboard. If they go on, close the shop for a while (admin page, notice), and tell Razorpay’s support before they ask you.',
      };
    case 'stock_held':
      return {
        subject: 'Somebody keeps pieces without paying',
        title: 'Pieces are held again and again, and not paid',
        text: 'A shopper could not begin another payment, because stock was held for them, or for others on their network, as long as the shop allows: 36 minutes of two hours for a shopper, an hour of two for the last piece in a network. Either somebody has trouble paying, or somebody keeps pieces from others on purpose. The admin page shows under Today who holds what. You need to do nothing: all of it is free again within the hour.',
      };
    case 'sweep_silent':
      return {
        subject: 'The background work of the shop has stopped',
        title: 'The background work stands still',
        text: `Every five minutes the shop sends what waits, settles unpaid orders and asks Razorpay. The last time before this mail was ${clock(since)}. Paid orders are still confirmed, but refunds, mails and stock may wait. If it does not go on by itself, your engineer finds what to do in docs/alerts.md, "The sweep is silent".`,
      };
    case 'webhook_silent':
      return {
        subject: 'Messages from Razorpay do not arrive',
        title: 'Razorpay does not report payments',
        text: `A payment of ${clock(since)} was recorded, but Razorpay’s message about it (the webhook) has not come. Payments are still found, more slowly. In the Razorpay dashboard, look at Account & Settings, Webhooks: is it active, and which answer did the last delivery get? Your engineer finds more in docs/alerts.md, "The webhook is silent".`,
      };
    case 'build_silent':
      return {
        subject: 'Your changes are not published',
        title:
          kind === 'failed'
            ? 'Your changes could not be published'
            : 'Publishing your changes does not end',
        text: [
          `Your last changes were to be published at ${clock(since)}, and shoppers do not see them all yet. Prices and stock are right in the shop, and orders come in as always.`,
          'What to do: open the admin page and press ‘Publish now’. If that fails too, forward this mail to whoever looks after your site.',
          `For them: docs/alerts.md, "The build is silent".${reason === undefined ? '' : ` ${reason}`}`,
        ].join('\n\n'),
      };
    default:
      return {
        subject: 'A payment does not agree with Razorpay',
        title: 'The shop and Razorpay do not agree',
        text:
          differences[kind ?? ''] ??
          'Please compare this payment in the Razorpay dashboard with its order.',
      };
  }
}

/** To the admin: something that needs a person, and what to do. Amounts in paise. */
export function composeAdminAlert(order: Order | null, payload: AlertPayload): Mail {
  const { subject, title, text } = alertOf(payload);
  const facts = [
    payload.payment_id === undefined ? null : `Payment: ${payload.payment_id}`,
    payload.amount_paise === undefined ? null : `Amount: ${formatRupees(payload.amount_paise)}`,
    order === null ? null : `Order: ${orderTitle(order)}`,
  ]
    .filter((fact) => fact !== null)
    .join('\n');
  const link = adminLink(order);
  return letter({
    subject,
    title,
    text: [text, facts, link.text].filter((part) => part !== '').join('\n\n'),
    body: html`${paragraph(text)}${facts === '' ? html`` : paragraph(facts)}${link.markup}`,
  });
}
