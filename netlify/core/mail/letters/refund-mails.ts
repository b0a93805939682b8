import * as z from 'zod/mini';
import { formatRupees } from '#domain/money.ts';
import { orderName, orderTitle, type Order } from '#domain/orders/order.ts';
import { isByHand } from '#domain/orders/order-payment.ts';
import {
  paymentReasons,
  reasonForAdmin,
  reasonForCustomer,
} from '#domain/orders/payment-reasons.ts';
import { shownWord, unknownWord } from '#domain/sql-word.ts';
import { seller } from '#settings/seller.ts';
import { shop } from '#settings/shop.ts';
import { button, letter, siteAddress, type Mail } from '#core/mail/mail.ts';
import { adminLink, trackLink, questions } from '#core/mail/mail-order.ts';

const payloadShape = {
  payment_id: z.string(),
  amount_paise: z.int(),
  by_hand_paise: z._default(z.int(), 0),
  disputed: z._default(z.boolean(), false),
  items: z._default(z.array(z.object({ name: z.string(), quantity: z.int() })), []),
};
const reasonOf = <const Word extends string>(words: readonly Word[]) =>
  z._default(z.nullable(shownWord(words)), null);

/** The reasons in the customer's mail. Besides refunding a payment that cannot be used, the admin may refund a part of an order, or the last of it. */
export const refundNoticeSchema = z.object({
  ...payloadShape,
  reason: reasonOf([...paymentReasons, 'partial_refund', 'final_refund']),
});
/** The payload of a refund's mail. Amounts in paise; `by_hand_paise` is the part that is not of `payment_id`, but paid back by the admin; while the payment is `disputed`, nothing goes back. */
export type RefundNotice = z.infer<typeof refundNoticeSchema>;

/** The reasons in the admin's mail. */
export const refundAlertSchema = z.object({
  ...payloadShape,
  reason: reasonOf([...paymentReasons, 'refund_failed']),
});
export type RefundAlert = z.infer<typeof refundAlertSchema>;

type MoneyBack = Pick<RefundNotice, 'payment_id' | 'amount_paise' | 'by_hand_paise' | 'disputed'>;

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
const itemsLine = (items: RefundNotice['items']): string | null =>
  items.length === 0
    ? null
    : `For: ${items.map(({ name, quantity }) => (quantity > 1 ? `${name} × ${String(quantity)}` : name)).join(', ')}`;

/** Why the money goes back, for the customer, and whether they can order again. */
function whyBack(order: Order, amount: string, reason: RefundNotice['reason']) {
  const title = orderTitle(order);
  switch (reason) {
    case 'partial_refund':
      return {
        text: `We are sending you back ${amount} of what you paid for ${title}.`,
        ordersAgain: false,
      };
    case 'final_refund':
      return {
        text: `We are sending you back ${amount} for ${title}. With this, all that you paid for it has been returned.`,
        ordersAgain: false,
      };
    default:
      return reasonForCustomer[reason ?? unknownWord](title, amount);
  }
}

/** Composes the mail that tells the customer about a refund and its reason. */
export function composeRefundNotice(order: Order, refund: RefundNotice): Mail {
  const amount = formatRupees(refund.amount_paise);
  const why = whyBack(order, amount, refund.reason);
  return letter({
    subject: `Your refund for ${orderName(order)} – ${shop.name}`,
    title: isByHand(refund.payment_id)
      ? `${amount} is paid back to you`
      : refund.disputed
        ? `Your refund of ${amount}`
        : `${amount} is on its way back to you`,
    parts: [
      why.text,
      itemsLine(refund.items),
      whenBack(refund),
      why.ordersAgain ? button('Back to your cart', siteAddress('/cart')) : trackLink(order),
      questions,
    ],
  });
}

const refundFailed = {
  act: 'failed',
  text: 'Razorpay could not make a refund. Please try it again on the owner’s page, under Today, or refund this payment by hand in the Razorpay dashboard.',
} as const;

/** How the admin's mail begins. */
const headings = {
  failed: { subject: 'FAILED: refund', title: 'A refund failed and needs you' },
  refunded: { subject: 'Refund', title: 'A payment is being refunded' },
  waits: { subject: 'Waits for you: refund', title: 'A refund waits for you' },
  bought_twice: { subject: 'Bought twice: payment', title: 'A cart was paid for twice' },
  check: { subject: 'Please check: payment', title: 'A payment needs a look' },
} as const;

/** Composes the mail that tells the admin about a refund and its reason, or its failure. */
export function composeRefundAlert(order: Order | null, refund: RefundAlert): Mail {
  const amount = formatRupees(refund.amount_paise);
  const facts = [
    `Payment: ${refund.payment_id}`,
    `Amount: ${amount}`,
    `Order: ${order ? orderTitle(order) : 'none of this shop'}`,
  ].join('\n');
  const { act, text } =
    refund.reason === 'refund_failed' ? refundFailed : reasonForAdmin[refund.reason ?? unknownWord];
  const { subject, title } = headings[act];
  return letter({
    subject: `${subject} of ${amount}${order ? ` for ${orderName(order)}` : ''}`,
    title,
    parts: [text, facts, adminLink(order)],
  });
}
