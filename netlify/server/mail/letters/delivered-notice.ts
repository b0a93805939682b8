import type { Order } from '../../../../src/domain/orders/order.ts';
import { mailTexts } from '../../../../src/settings/mails.ts';
import { seller } from '../../../../src/settings/seller.ts';
import { shop } from '../../../../src/settings/shop.ts';
import { html } from '../../platform/http/html.ts';
import { claimLink } from '../claim-link.ts';
import { letter, paragraph, type Mail } from '../mail.ts';
import { orderTitle, questions, stepsTable, trackLink } from '../mail-order.ts';

/** To the customer when the order was delivered: the time for reporting damage begins. */
export function composeDeliveredNotice(order: Order): Mail {
  const arrived = `${orderTitle(order)} was delivered. ${mailTexts.delivered}`;
  const damage = `Is something damaged? Tell us within ${String(seller.shipping.damageHours)} hours, with photos:`;
  const [track, report] = [trackLink(order), claimLink(order, 'Report damage')];
  return letter({
    subject: `${orderTitle(order)} was delivered – ${shop.name}`,
    title: 'Your order was delivered',
    text: [arrived, track.text, damage, report.text, questions].join('\n\n'),
    body: html`${paragraph(arrived)}${stepsTable(order)}${track.markup}${paragraph(damage)}${report.markup}${paragraph(questions)}`,
  });
}
