import type { IssuedInvoice } from '#domain/invoice/issued-documents.ts';
import { addUp } from '#domain/invoice/invoice-document.ts';
import { documentWords } from '#domain/tax-standing.ts';
import { indiaDay } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import type { Order } from '#domain/orders/order.ts';
import { mailTexts } from '#settings/mails.ts';
import { shop } from '#settings/shop.ts';
import { button, letter, section, siteAddress, type Mail } from '#core/mail/mail.ts';
import { linkDays, orderPath } from '#core/mail/order-links.ts';

/** Composes the mail with which the admin sends a customer the invoice: a summary, and a link that opens the document. */
export function composeInvoiceMail(
  invoiced: Order,
  { number, issuedAt, document, creditNotes }: IssuedInvoice,
): Mail {
  const { buyer, order, lines, totalPaise } = document;
  const tax = addUp(lines);
  const { title, name } = documentWords(document.untaxed);
  const label = document.untaxed === undefined ? 'Invoice' : title;
  const intro = `${`${mailTexts.greeting} ${buyer.name}`.trim()}, this is the ${name} for your order #${order.id}.`;
  const facts = [
    `${label}: ${number} of ${indiaDay(issuedAt)}`,
    `Order: #${order.id} of ${indiaDay(order.placedAt)}`,
    ...(buyer.gstin === null ? [] : [`Your GSTIN: ${buyer.gstin}`]),
  ].join('\n');
  const amounts = [
    ...lines.map(
      ({ name: item, quantity, grossPaise }) =>
        `${item}${quantity > 1 ? ` × ${String(quantity)}` : ''}: ${formatRupees(grossPaise)}`,
    ),
    ...(document.untaxed === undefined
      ? [`GST in it: ${formatRupees(tax.cgstPaise + tax.sgstPaise + tax.igstPaise)}`]
      : []),
    `Total: ${formatRupees(totalPaise)}`,
    ...creditNotes.map(
      (note) => `Refunded, credit note ${note.number}: ${formatRupees(note.document.totalPaise)}`,
    ),
  ].join('\n');
  const until = `The link works until ${String(linkDays.invoice)} days after the delivery. Save the ${name} if you need it longer.`;
  return letter({
    subject: `${label} ${number} for order #${order.id} – ${shop.name}`,
    title: `Your ${name} ${number}`,
    parts: [
      intro,
      facts,
      button(`Open the ${name}`, siteAddress(orderPath('invoice', invoiced))),
      until,
      section('Amounts', amounts),
    ],
  });
}
