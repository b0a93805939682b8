import { formatDay } from '../../../../src/domain/calendar-day.ts';
import { formatRupees } from '../../../../src/domain/money.ts';
import { type Order } from '../../../../src/domain/orders/order.ts';
import { paymentText } from '../../../../src/domain/orders/order-payment.ts';
import { promisedDelivery } from '../../../../src/domain/orders/promised-delivery.ts';
import { mailTexts } from '../../../../src/settings/mails.ts';
import { seller } from '../../../../src/settings/seller.ts';
import { shop } from '../../../../src/settings/shop.ts';
import { html } from '../../platform/http/html.ts';
import { heading, letter, paragraph, type Mail } from '../mail.ts';
import {
  addressText,
  adminLink,
  amountsTable,
  amountsText,
  ordersLink,
  orderTitle,
  stepsTable,
  trackLink,
} from '../mail-order.ts';

const { processing, standard, damageHours } = seller.shipping;
const checkIt = `damage must be reported within ${String(damageHours)} hours of delivery. A short video of how you open it helps.`;

/** When the customer can expect a paid order. */
function nextSteps(order: Order): string {
  if (order.handedOver) return `You have your order with you. Please check it: ${checkIt}`;
  const promised = promisedDelivery(order);
  const days =
    promised === null
      ? ''
      : ` We expect it between ${formatDay(promised.first)} and ${formatDay(promised.last)}.`;
  const usual = `We prepare your order within ${processing}. Standard delivery then takes ${standard}.`;
  // A notice replaces the usual days.
  const how =
    order.deliveryNotice === null
      ? usual
      : 'We send your order as soon as our holiday notice ends.';
  return `${how}${days} Please check the parcel when it arrives: ${checkIt}`;
}

/** To the customer after the payment: items, address and next steps. */
export function composeOrderConfirmation(order: Order): Mail {
  const thanks = `${mailTexts.thanks}, ${order.customerName}. Your payment has arrived and your order is being processed.`;
  const reference = `Order number: ${order.id}\nReference: ${order.number}\nPayment: ${paymentText(order)}`;
  const questions = `${mailTexts.closing} ${seller.contact.emails[0]}, and mention your order number.`;
  const address = addressText(order);
  const next = nextSteps(order);
  const [track, all] = [trackLink(order), ordersLink()];
  return letter({
    subject: `${orderTitle(order)} confirmed – ${shop.name}`,
    title: 'Thank You for Your Order!',
    text: [
      thanks,
      reference,
      amountsText(order),
      `Delivery to\n${address}`,
      `What happens next\n${next}`,
      track.text,
      all.text,
      questions,
    ].join('\n\n'),
    body: html`${paragraph(thanks)}${stepsTable(order)}${track.markup}${heading('Your order')}${amountsTable(order)}
    ${heading('Delivery to')}${paragraph(address)}${heading('What happens next')}${paragraph(next)}${paragraph(reference)}${all.markup}${paragraph(questions)}`,
  });
}

/** To the admin after the payment: what to pack and where to send it. */
export function composeOrderNotice(order: Order): Mail {
  const paid = `${orderTitle(order)} is paid: ${formatRupees(order.amount)}, payment ${order.paymentId ?? ''}.`;
  const sendTo = `${addressText(order)}\n${order.customerEmail}`;
  const link = adminLink(order);
  const gift =
    order.giftNote === '' ? '' : `\n\nGift note, printed on the slip:\n${order.giftNote}`;
  const notes = `${order.notes === '' ? 'None' : order.notes}${gift}`;
  return letter({
    subject: `New order #${order.id}: ${formatRupees(order.amount)}`,
    title: 'A new order',
    text: [
      paid,
      link.text,
      amountsText(order),
      `Send to\n${sendTo}`,
      `Notes from the customer\n${notes}`,
    ].join('\n\n'),
    body: html`${paragraph(paid)}${link.markup}${heading('To pack')}${amountsTable(order)}${heading('Send to')}${paragraph(sendTo)}
    ${heading('Notes from the customer')}${paragraph(notes)}`,
  });
}
