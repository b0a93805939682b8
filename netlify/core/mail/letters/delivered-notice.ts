import { orderTitle, type Order } from '../../../../src/domain/orders/order.ts';
import { mailTexts } from '../../../../src/settings/mails.ts';
import { shop } from '../../../../src/settings/shop.ts';
import { seller } from '../../../../src/settings/seller.ts';
import { claimLink } from '../../../features/claims/claim-link.ts';
import { letter, type Mail } from '../mail.ts';
import { orderSteps, questions, trackLink } from '../mail-order.ts';

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
      `Is something damaged? Tell us within ${String(seller.shipping.damageHours)} hours, with photos:`,
      claimLink(order, 'Report damage'),
      questions,
    ],
  });
}
