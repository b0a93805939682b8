import type { Order } from '../../../../src/domain/orders/order.ts';
import { mailTexts } from '../../../../src/settings/mails.ts';
import { seller } from '../../../../src/settings/seller.ts';
import { shop } from '../../../../src/settings/shop.ts';
import { claimLink } from '../claim-link.ts';
import { letter, type Mail } from '../mail.ts';
import { orderSteps, orderTitle, questions, trackLink } from '../mail-order.ts';

/** To the customer when the order was delivered: the time for reporting damage begins. */
export function composeDeliveredNotice(order: Order): Mail {
  const arrived = `${orderTitle(order)} was delivered. ${mailTexts.delivered}`;
  const damage = `Is something damaged? Tell us within ${String(seller.shipping.damageHours)} hours, with photos:`;
  return letter({
    subject: `${orderTitle(order)} was delivered – ${shop.name}`,
    title: 'Your order was delivered',
    parts: [
      arrived,
      orderSteps(order),
      trackLink(order),
      damage,
      claimLink(order, 'Report damage'),
      questions,
    ],
  });
}
