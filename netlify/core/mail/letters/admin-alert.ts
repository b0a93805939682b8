import * as z from 'zod/mini';
import { indiaMoment } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import { orderTitle, type Order } from '#domain/orders/order.ts';
import { letter, type Mail } from '#core/mail/mail.ts';
import { adminLink } from '#core/mail/mail-order.ts';
import { disputeAlert, disputeDueAlert, disputePayload } from './dispute-alert.ts';

export const alertPayloadSchema = z.object({
  topic: z.string(),
  payment_id: z.optional(z.string()),
  amount_paise: z.optional(z.int()),
  key_id: z.optional(z.string()),
  kind: z.optional(z.string()),
  name: z.optional(z.string()),
  minutes: z.optional(z.int()),
  used: z.optional(z.int()),
  perMonth: z.optional(z.int()),
  since: z.optional(z.string()),
  ...disputePayload,
});
type AlertPayload = z.infer<typeof alertPayloadSchema>;

interface Alert {
  subject: string;
  title: string;
  text: string;
}

const differences: Readonly<Record<string, string>> = {
  amount_differs:
    'Razorpay shows another amount for this payment than the shop. Compare the Razorpay dashboard with the order.',
  refunds_differ:
    'Razorpay shows another refunded amount for this payment than the shop. Compare the Razorpay dashboard with the order.',
  not_at_razorpay:
    'The shop recorded this payment, but Razorpay does not know it. Do not send the order before you have seen the payment in the Razorpay dashboard.',
};

/** Changes of the admin's login, by the names of SQL `report_second_factor` and `note_wrong_code`. */
const loginChanges: Readonly<Record<string, { subject: string; text: string }>> = {
  on: {
    subject: 'The login asks for a second factor now',
    text: 'Someone logged in as admin turned on the second factor: the login asks for a code of an authenticator app, too. Every other login has ended.',
  },
  off: {
    subject: 'The second factor of the login was turned off',
    text: 'The login asks for the password alone now.',
  },
  recovery_code: {
    subject: 'A recovery code of the login was used',
    text: 'Someone typed the admin password and one of the recovery codes.',
  },
  guessed: {
    subject: 'Someone tries codes for the login',
    text: 'At least ten wrong codes were typed after the correct admin password today.',
  },
  new_codes: {
    subject: 'The recovery codes of the login were replaced',
    text: 'Someone logged in as admin made new recovery codes. The old ones no longer work.',
  },
};

/** Formats a time for the admin, in India's time. */
const clock = (since: string | undefined): string =>
  since === undefined ? 'some time' : `${indiaMoment(since)} (India)`;

const moreMails =
  'Your engineer finds the steps in docs/alerts.md, "The mails of strangers are used up".';

function alertOf(payload: AlertPayload): Alert {
  const { topic, kind, key_id: keyId, since, reason, name, minutes, used, perMonth } = payload;
  switch (topic) {
    case 'unknown_orders':
      return {
        subject: 'Open orders that Razorpay does not know',
        title: 'Razorpay does not know some open orders',
        text: `They were created with other API keys than the current ones (${keyId ?? 'unknown'}), for example test keys from before the shop went live. Nobody can pay them any more, so they have ended and their stock is free again. You do not need to do anything.`,
      };
    case 'refund_made_at_razorpay':
      return {
        subject: 'A refund was made at Razorpay',
        title: 'A refund was made outside the shop',
        text: 'Someone refunded this payment in the Razorpay dashboard. The order shows it now. If it was refunded in full, do not send the order. The stock is not returned automatically.',
      };
    case 'dispute':
      return disputeAlert(payload);
    case 'dispute_due':
      return disputeDueAlert(payload);
    case 'cancelled_by_customer':
      return {
        subject: 'A customer cancelled an order',
        title: 'A customer cancelled an order',
        text: 'The customer cancelled this order before it was packed. Its items are back in stock, and what you still have of its payment goes back by itself. Do not pack it.',
      };
    case 'cancel_requested':
      return {
        subject: 'A customer asks to cancel a paid order',
        title: 'A customer asks to cancel a paid order',
        text: 'In the last 30 days, this customer, phone or network caused as many refunds as the shop makes automatically. Each one costs you the fee of the payment service, so this order is not cancelled automatically. Open the order: cancel it there, or write to the customer that you send it. They were told that you answer.',
      };
    case 'cash_order_changed':
      return {
        subject: 'A customer changed an order that waits for your confirmation',
        title: 'A customer changed an order that waits for your confirmation',
        text: 'The customer ordered the same cart again with other details: name, phone, address or recipient. The order shows what changed in its history. If you have called about it already, call again before you confirm it.',
      };
    case 'damage_claim':
      return {
        subject: 'A customer reports damage',
        title: 'A customer reports damage',
        text: 'Part of this order arrived damaged. The order shows what happened, with photos. Answer it there with a refund, a replacement or a reason; the customer gets your answer by e-mail.',
      };
    case 'claim_files_full':
      return {
        subject: 'Little space is left for photos of damage',
        title: 'Little space is left for photos of damage',
        text: 'Photos and videos of damage fill more than 70 % of the space that the shop gives them. Answer the reports under Today: files go 180 days after the answer. Once it is full, customers cannot send more. An engineer can raise `claimFilesMegabytes`.',
      };
    case 'review':
      return {
        subject: 'A customer wrote a review',
        title: 'A customer wrote a review',
        text: 'It is in the inbox of the admin page, under Reviews. Nobody else sees it before you publish it there; you can add an answer, or hide it.',
      };
    case 'card_testing':
      return {
        subject: 'Someone may be testing stolen cards',
        title: 'Many payments fail',
        text: 'At least 30 payments failed within an hour. Someone may be testing stolen cards in your shop. The shop closes an order after ten failed payments and makes its account wait for an hour. Look at the failed payments in the Razorpay dashboard. If they go on, close the shop for a while (admin page, notice), and tell Razorpay’s support before they ask you.',
      };
    case 'many_messages':
      return {
        subject: 'More messages wait in your inbox',
        title: 'More messages wait in your inbox',
        text: 'The contact form received more messages today than the shop mails you in a day, so that the mails of orders always find room. The rest come without a mail of their own: read them in the inbox on the admin page. If they are spam, turn on the security check of the forms (docs/going-live.md, step 8).',
      };
    case 'mails_used_up':
      if (kind === 'cash_mail')
        return {
          subject: 'Customers can choose no cash on delivery for now',
          title: 'The mails for cash orders are used up',
          text: `Orders to be paid at the door that you have not confirmed caused as many mails as the shop sends for them in a day. For the next hours new customers can pay online only. Customers who have bought, and mails of orders that are paid or confirmed, have mails of their own. ${moreMails}`,
        };
      return kind === 'customer_mail'
        ? {
            subject: 'Customers get no more login codes for now',
            title: 'The mails for customers’ login codes are used up',
            text: `Somebody asked for more login codes of your customers than the shop mails in a day. For the next hours a customer who asks for one may get none; whoever knows their password logs in as always. Mails of orders go out as always. ${moreMails}`,
          }
        : {
            subject: 'New customers get no more codes for now',
            title: 'The mails that strangers can cause are used up',
            text: `Sign-ups, forms and newsletter requests caused as many mails as the shop sends for strangers in a day. For the next hours some visitors get no code, and cannot sign up. Customers who have bought, and mails of orders, have mails of their own. If you expect that many visitors today, the number can be raised; if not, somebody does it on purpose. ${moreMails}`,
          };
    case 'mail_refused':
      return {
        subject: 'The shop could not send mail',
        title: 'The shop could not send mail',
        text: [
          `The mail server took no mail of the shop since ${clock(since)}; it said: ${reason ?? 'nothing'}. That this mail reaches you shows that it takes mail again. What waited in the meantime is sent now.`,
          'Customers who asked for a code to sign up or log in meanwhile got none, and had to try again.',
          'For the person who maintains your site: docs/alerts.md, "Mail does not go out".',
        ].join('\n\n'),
      };
    case 'stock_held':
      if (kind === 'product')
        return {
          subject: `Held without paying: ${name ?? 'a product'}`,
          title: 'The last one is held again and again',
          text: `In the last two hours, customers held the last unit of "${name ?? 'a product'}" for ${String(minutes ?? 60)} minutes without paying. Either several people have trouble paying, or someone keeps it from others on purpose. Until it calms down, each further checkout holds it for three minutes only, once for each customer and network. The admin page shows under Today who holds what. To keep it for a customer you know, make the order yourself (Orders, New order) and send the payment link.`,
        };
      return {
        subject: 'Someone holds stock without paying',
        title: 'Stock is held repeatedly and not paid for',
        text: 'A customer could not start another payment, because they, or others on their network, have held stock for as long as the shop allows. Either someone has trouble paying, or someone blocks stock on purpose. The admin page shows under Today who holds what. You do not need to do anything: all of it is free again within the hour.',
      };
    case 'sweep_silent':
      return {
        subject: 'The background work of the shop has stopped',
        title: 'The background work has stopped',
        text: `Every five minutes the shop sends waiting mails and refunds, and checks unpaid orders with Razorpay. It last did so at ${clock(since)}. Paid orders are still confirmed, but refunds, mails and stock may be delayed. If it does not resume by itself, your engineer finds the steps in docs/alerts.md, "The sweep is silent".`,
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
            : 'Publishing your changes is taking too long',
        text: [
          `Your last changes were due to be published at ${clock(since)}, and customers do not see all of them yet. Prices and stock in the shop are correct, and orders work as usual.`,
          'What to do: open the admin page and press ‘Publish now’. If that fails too, forward this mail to the person who maintains your site.',
          `For them: docs/alerts.md, "The build is silent".${reason == null ? '' : ` ${reason}`}`,
        ].join('\n\n'),
      };
    case 'deploys_used':
      return {
        subject: 'Most of this month’s deploys are used',
        title: 'Most of this month’s deploys are used',
        text: [
          `${String(used)} of the ${String(perMonth)} deploys of this month are used. The shop now publishes your changes by itself less often, and not beyond that number. Prices, stock, hidden and deleted products are always current.`,
          'You do not need to do anything. ‘Publish now’ on the admin page works as always; each deploy costs 15 of Netlify’s credits, so look there how many your plan has left.',
          'For the person who maintains your site: docs/alerts.md, "The deploys of the month are used".',
        ].join('\n\n'),
      };
    case 'second_factor': {
      const { subject, text } = loginChanges[kind ?? ''] ?? {
        subject: 'The second factor of the login has changed',
        text: 'The second factor of the login has changed.',
      };
      return {
        subject,
        title: subject,
        text: `${text}\n\nIf it was not you, someone knows your password: tell the person who maintains your site at once. They set another one (docs/going-live.md, "Changing a secret"), which ends every login.`,
      };
    }
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

/** Composes the mail that tells the admin what needs a person, and what to do. Amounts in paise. */
export function composeAdminAlert(order: Order | null, payload: AlertPayload): Mail {
  const { subject, title, text } = alertOf(payload);
  const facts = [
    payload.payment_id === undefined ? null : `Payment: ${payload.payment_id}`,
    payload.amount_paise === undefined ? null : `Amount: ${formatRupees(payload.amount_paise)}`,
    order === null ? null : `Order: ${orderTitle(order)}`,
  ].filter((fact) => fact !== null);
  return letter({
    subject,
    title,
    parts: [text, facts.length === 0 ? null : facts.join('\n'), adminLink(order)],
  });
}
