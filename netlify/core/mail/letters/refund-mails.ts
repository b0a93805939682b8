import * as z from 'zod/mini';
import { formatRupees } from '#domain/money.ts';
import { orderName, orderTitle, type Order } from '#domain/orders/order.ts';
import { isByHand } from '#domain/orders/order-payment.ts';
import { seller } from '#settings/seller.ts';
import { shop } from '#settings/shop.ts';
import { button, letter, siteAddress, type Mail } from '#core/mail/mail.ts';
import { adminLink, trackLink, questions } from '#core/mail/mail-order.ts';

export const refundPayloadSchema = z.object({
  payment_id: z.string(),
  amount_paise: z.int(),
  by_hand_paise: z._default(z.int(), 0),
  disputed: z._default(z.boolean(), false),
  reason: z._default(z.nullable(z.string()), null),
  items: z._default(z.array(z.object({ name: z.string(), quantity: z.int() })), []),
});
/** The payload of a refund's mail. Amounts in paise; `by_hand_paise` is the part that is not of `payment_id`, but paid back by the admin; while the payment is `disputed`, nothing goes back. */
export type RefundPayload = z.infer<typeof refundPayloadSchema>;

/** The customer's sentence for each of the database's reasons. */
function whyBack(title: string, amount: string, reason: string | null): string {
  if (reason === 'partial_refund')
    return `We are sending you back ${amount} of what you paid for ${title}.`;
  if (reason === 'final_refund')
    return `We are sending you back ${amount} for ${title}. With this, all that you paid for it has been returned.`;
  if (reason === 'second_payment')
    return `${title} was paid twice. Your order stands; the second payment of ${amount} goes back to you in full.`;
  if (reason === 'duplicate_purchase' || reason === 'bought_twice')
    return `You paid for ${title} after you had bought the same pieces in another order. That order stands; your payment of ${amount} for this one goes back to you in full.`;
  const came = `Your payment of ${amount} for ${title} `;
  const sorry = ' We are sorry. The whole amount goes back to you.';
  if (reason === 'order_cancelled')
    return `${came}arrived after the order had been cancelled, so we could not accept it.${sorry}`;
  const late = lateReasons[reason ?? ''];
  return late === undefined
    ? `${came}arrived after the order could still be kept, so we could not accept it.${sorry}`
    : `${came}reached us after we had stopped holding the order for you, and ${late}.${sorry} You can order again from your cart.`;
}

/** Why an order that was paid late could not be sold as it had been placed. */
const lateReasons: Readonly<Record<string, string>> = {
  not_sold: 'what you ordered is no longer sold',
  price_changed: 'its price has changed since',
  discount_gone: 'its discount code is no longer valid',
  stock_gone: 'the products were sold meanwhile',
  cash_order_ended: 'it cannot be paid at the door any more',
};

type MoneyBack = Pick<RefundPayload, 'payment_id' | 'amount_paise' | 'by_hand_paise' | 'disputed'>;

/** What a customer hears about money that a bank decides about. */
export const afterDispute =
  'The payment was disputed, so a bank decides about it first. If the money stays with us, we send it back to you then.';

/** When and how the money arrives. */
export function whenBack({ payment_id, amount_paise, by_hand_paise, disputed }: MoneyBack): string {
  if (isByHand(payment_id)) return 'We pay it back to you ourselves, as you paid us.';
  const what = by_hand_paise > 0 ? formatRupees(amount_paise - by_hand_paise) : 'The money';
  const rest =
    by_hand_paise > 0
      ? `\nWe pay ${formatRupees(by_hand_paise)} back to you ourselves, as you paid it in cash.`
      : '';
  const how = disputed
    ? afterDispute
    : `You need to do nothing. ${what} usually arrives on the card or account you paid with within ${seller.refunds.arriveWithin}.`;
  return `${how}\nPayment: ${payment_id}${rest}`;
}

/** 'For: Temple ring × 2, Jimikki'; null when the amount is not for certain items. */
const itemsLine = (items: RefundPayload['items']): string | null =>
  items.length === 0
    ? null
    : `For: ${items.map(({ name, quantity }) => (quantity > 1 ? `${name} × ${String(quantity)}` : name)).join(', ')}`;

/** Composes the mail that tells the customer about a refund and its reason. */
export function composeRefundNotice(order: Order, refund: RefundPayload): Mail {
  const amount = formatRupees(refund.amount_paise);
  const sorry = whyBack(orderTitle(order), amount, refund.reason);
  const link =
    refund.reason !== null && refund.reason in lateReasons
      ? button('Back to your cart', siteAddress('/cart'))
      : trackLink(order);
  return letter({
    subject: `Your refund for ${orderName(order)} – ${shop.name}`,
    title: isByHand(refund.payment_id)
      ? `${amount} is paid back to you`
      : refund.disputed
        ? `Your refund of ${amount}`
        : `${amount} is on its way back to you`,
    parts: [sorry, itemsLine(refund.items), whenBack(refund), link, questions],
  });
}

/** The admin's sentence for each of the database's reasons. */
const whys: Readonly<Record<string, string>> = {
  stock_gone:
    'A payment arrived after its order had expired, and the products were sold meanwhile. It is refunded automatically; the customer has been notified.',
  discount_gone:
    'A payment arrived after its order had expired, and its discount code was no longer valid. It is refunded automatically; the customer has been notified.',
  not_sold:
    'A customer paid an order after it had expired, and a product of it is no longer sold. The payment is refunded automatically; the customer has been notified.',
  price_changed:
    'A customer paid an order after it had expired, at its old price; today it costs more. The payment is refunded automatically; the customer has been notified.',
  cash_order_ended:
    'The advance of an order to be paid at the door arrived after the order had expired, and it could not be ordered so any more. It is refunded automatically; the customer has been notified.',
  person_removed:
    'A payment arrived for an order whose customer was erased, so there is no address to send it to. It is refunded automatically. The customer has NOT been notified, because the shop no longer knows them.',
  refund_waits:
    'A payment arrived that cannot be used for its order: the customer gave the order up, paid it late or bought it twice. They caused as many refunds in the last 30 days as the shop makes automatically, and each costs you Razorpay’s fee. Nothing is refunded yet: please look at it under Today and refund it there, or write to them.',
  second_payment:
    'An order was paid twice. The second payment is refunded automatically; the customer has been notified.',
  order_cancelled:
    'A payment arrived for an order that you had cancelled. It is refunded automatically; the customer has been notified.',
  amount_mismatch:
    'A payment does not have the amount or the currency of its order. It is refunded automatically. The customer has NOT been notified: please look at it in the Razorpay dashboard and write to them.',
  duplicate_purchase:
    'A late payment arrived for an order that had ended. The same customer has since paid for the same products in another order. Nothing is refunded yet: please refund it under Today, or ask the customer whether they want the products twice.',
  bought_twice:
    'A customer paid for the same cart in two orders because the first payment was late. The second payment is refunded automatically; the customer has been notified. Send the other order only.',
  refund_failed:
    'Razorpay could not make a refund. Please try it again on the owner’s page, under Today, or refund this payment by hand in the Razorpay dashboard.',
};

/** Composes the mail that tells the admin about a refund and its reason, or its failure. */
export function composeRefundAlert(order: Order | null, refund: RefundPayload): Mail {
  const amount = formatRupees(refund.amount_paise);
  const facts = [
    `Payment: ${refund.payment_id}`,
    `Amount: ${amount}`,
    `Order: ${order ? orderTitle(order) : 'none of this shop'}`,
  ].join('\n');
  const failed = refund.reason === 'refund_failed';
  const isDuplicate = refund.reason === 'duplicate_purchase';
  const waits = isDuplicate || refund.reason === 'refund_waits';
  const what = whys[refund.reason ?? ''] ?? 'A payment is being refunded automatically.';
  return letter({
    subject: `${failed ? 'FAILED: refund' : isDuplicate ? 'Bought twice: payment' : waits ? 'Waits for you: refund' : 'Refund'} of ${amount}${order ? ` for ${orderName(order)}` : ''}`,
    title: failed
      ? 'A refund failed and needs you'
      : isDuplicate
        ? 'A cart was paid for twice'
        : waits
          ? 'A refund waits for you'
          : 'A payment is being refunded',
    parts: [what, facts, adminLink(order)],
  });
}
