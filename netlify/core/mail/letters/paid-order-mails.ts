import { indiaMoment } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import { orderName, orderTitle, type Order } from '#domain/orders/order.ts';
import { paymentText } from '#domain/orders/order-payment.ts';
import { mailTexts } from '#settings/mails.ts';
import { seller } from '#settings/seller.ts';
import { shop } from '#settings/shop.ts';
import { letter, section, type Mail } from '#core/mail/mail.ts';
import {
  addressText,
  adminLink,
  expectedSentence,
  orderAmounts,
  ordersLink,
  orderSteps,
  trackLink,
} from '#core/mail/mail-order.ts';

const checkIt = ({ terms: { damageHours } }: Order): string =>
  `damage must be reported within ${String(damageHours)} hours of delivery. A short video of how you open it helps.`;

/** When the customer can expect a paid order. */
function nextSteps(order: Order): string {
  if (order.handedOver) return `You have your order with you. Please check it: ${checkIt(order)}`;
  const { processing, standard } = order.terms;
  const usual = `We prepare your order within ${processing}. Standard delivery then takes ${standard}.`;
  // A notice replaces the usual days.
  const how =
    order.deliveryNotice === null
      ? usual
      : 'We send your order as soon as our holiday notice ends.';
  return `${how}${expectedSentence(order)} Please check the parcel when it arrives: ${checkIt(order)}`;
}

/** Composes the mail to the customer after the payment, with items, address and next steps. */
export function composeOrderConfirmation(order: Order): Mail {
  const thanks = `${mailTexts.thanks}, ${order.customerName}. Your payment has arrived and your order is being processed.`;
  const reference = `Order number: ${order.id}\nReference: ${order.reference}\nPayment: ${paymentText(order)}`;
  const questions = `${mailTexts.closing} ${seller.contact.emails[0]}, and mention your order number.`;
  return letter({
    subject: `${orderTitle(order)} confirmed – ${shop.name}`,
    title: 'Thank You for Your Order!',
    parts: [
      thanks,
      orderSteps(order),
      trackLink(order),
      section('Your order', orderAmounts(order)),
      section('Delivery to', addressText(order)),
      section('What happens next', nextSteps(order)),
      reference,
      ordersLink(),
      questions,
    ],
  });
}

/** How an order is paid, for the admin. */
function paidText(order: Order): string {
  const { cash } = order;
  if (cash === null)
    return `${orderTitle(order)} is paid: ${formatRupees(order.amount)}, payment ${order.paymentId ?? ''}.`;
  const advance =
    order.amount > cash.due
      ? ` The advance of ${formatRupees(order.amount - cash.due)} is paid, payment ${cash.advancePaymentId ?? ''}.`
      : '';
  const until = cash.until === null ? '' : ` by ${indiaMoment(cash.until)}`;
  return `${orderTitle(order)} is to be paid at the door: ${formatRupees(cash.due)} in cash.${advance} Call the customer or write on WhatsApp, ${order.customerPhone}, and confirm the order${until}. Else it ends, and its pieces are for sale again.`;
}

/** Composes the mail to the admin about a paid order, or one that is paid at the door: what to do and where to send it. */
export function composeOrderNotice(order: Order): Mail {
  const gift =
    order.giftNote === '' ? '' : `\n\nGift note, printed on the slip:\n${order.giftNote}`;
  const notes = `${order.notes === '' ? 'None' : order.notes}${gift}`;
  return letter({
    subject: `New ${orderName(order)}: ${formatRupees(order.amount)}${order.cash === null ? '' : ', cash on delivery'}`,
    title: 'A new order',
    parts: [
      paidText(order),
      adminLink(order),
      section(order.cash === null ? 'To pack' : 'Ordered', orderAmounts(order)),
      section('Send to', `${addressText(order)}\n${order.customerEmail}`),
      section('Notes from the customer', notes),
    ],
  });
}
