import { formatRupees } from '../../../src/domain/money.ts';
import type { Order } from '../../../src/domain/orders/order.ts';
import { html } from '../platform/html.ts';
import { heading, letter, paragraph, type Mail } from './mail.ts';
import { addressText, amountsTable, amountsText, orderTitle } from './mail-order.ts';

/** To the owner, when an order is paid: what to pack and where to send it. */
export function composeOrderNotice(order: Order): Mail {
  const paid = `${orderTitle(order)} is paid: ${formatRupees(order.amount)}, payment ${order.paymentId ?? ''}.`;
  const sendTo = `${addressText(order)}\n${order.customerEmail}`;
  const notes = order.notes === '' ? 'None' : order.notes;
  return letter({
    subject: `New order #${order.id}: ${formatRupees(order.amount)}`,
    title: 'A new order',
    text: [paid, amountsText(order), `Send to\n${sendTo}`, `Notes from the buyer\n${notes}`].join('\n\n'),
    body: html`${paragraph(paid)}${heading('To pack')}${amountsTable(order)}${heading('Send to')}${paragraph(sendTo)}
    ${heading('Notes from the buyer')}${paragraph(notes)}`,
  });
}
