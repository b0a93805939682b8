import { orderTitle, type Order } from '#domain/orders/order.ts';
import { mailTexts } from '#settings/mails.ts';
import { shop } from '#settings/shop.ts';
import { claimLink } from '#netlify/features/claims/claim-link.ts';
import { letter, type Mail } from '#core/mail/mail.ts';
import { orderSteps, questions, trackLink } from '#core/mail/mail-order.ts';

/** Composes the mail to the customer when the order was delivered: the time for reporting damage begins. */
export function composeDeliveredNotice(order: Order): Mail {
  const arrived = `${orderTitle(order)} was delivered. ${mailTexts.delivered}`;
  return letter({
    subject: `${orderTitle(order)} was delivered – ${shop.name}`,
    title: 'Your order was delivered',
    parts: [
      arrived,
      orderSteps(order),
      trackLink(order),
      `Is something damaged? Tell us within ${String(order.terms.damageHours)} hours, with photos:`,
      claimLink(order, 'Report damage'),
      questions,
    ],
  });
}
