import { formatRupees } from '../../../src/domain/money.ts';
import { html } from '../platform/html.ts';
import { heading, letter, paragraph, type Mail } from './mail.ts';
import { addressText, amountsTable, amountsText, orderTitle, type MailOrder } from './mail-order.ts';

/** To the owner, when an order is paid: what to pack and where to send it. */
export function composeOrderNotice(order: MailOrder): Mail {
  const paid = `${orderTitle(order)} is paid: ${formatRupees(order.total_paise)}, payment ${order.payment_id}.`;
  const sendTo = `${addressText(order)}\n${order.customer_email}`;
  const notes = order.notes === '' ? 'None' : order.notes;
  return letter({
    subject: `New order #${String(order.id)}: ${formatRupees(order.total_paise)}`,
    title: 'A new order',
    text: [paid, amountsText(order), `Send to\n${sendTo}`, `Notes from the buyer\n${notes}`].join('\n\n'),
    body: html`${paragraph(paid)}${heading('To pack')}${amountsTable(order)}${heading('Send to')}${paragraph(sendTo)}
    ${heading('Notes from the buyer')}${paragraph(notes)}`,
  });
}
