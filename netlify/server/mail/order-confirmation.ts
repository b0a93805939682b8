import type { Order } from '../../../src/domain/orders/order.ts';
import { seller, shop } from '../../../src/shop.config.ts';
import { html } from '../platform/html.ts';
import { heading, letter, paragraph, type Mail } from './mail.ts';
import { addressText, amountsTable, amountsText, orderTitle } from './mail-order.ts';

const next =
  'We prepare your order within 1-2 business days. Standard delivery then takes 5-7 business days. ' +
  'Please check the parcel when it arrives: damage must be reported within 48 hours of delivery.';

/** To the buyer, when the payment is in: what was bought, where it goes, what happens next. */
export function composeOrderConfirmation(order: Order): Mail {
  const thanks = `Thank you, ${order.customerName}. Your payment has arrived and your order is being processed.`;
  const reference = `Order number: ${order.id}\nReference: ${order.number}\nPayment: ${order.paymentId ?? ''}`;
  const questions = `Questions? Answer this e-mail, or write to ${seller.contact.emails[0]}, and mention your order number.`;
  const address = addressText(order);
  return letter({
    subject: `${orderTitle(order)} confirmed – ${shop.name}`,
    title: 'Thank You for Your Order!',
    text: [
      thanks,
      reference,
      amountsText(order),
      `Delivery to\n${address}`,
      `What happens next\n${next}`,
      questions,
    ].join('\n\n'),
    body: html`${paragraph(thanks)}${paragraph(reference)}${heading('Your order')}${amountsTable(order)}
    ${heading('Delivery to')}${paragraph(address)}${heading('What happens next')}${paragraph(next)}${paragraph(questions)}`,
  });
}
