import type { UnknownWord } from '#domain/sql-word.ts';

/** Why a payment could not be used for its order, or belongs to none: the words of the column `payments.reason`. */
export const paymentReasons = [
  'second_payment',
  'person_removed',
  'order_cancelled',
  'stock_gone',
  'bought_twice',
  'duplicate_purchase',
  'cash_order_ended',
  'discount_gone',
  'not_sold',
  'price_changed',
  'amount_mismatch',
  'refund_waits',
  'origin_unknown',
  'unknown_order',
] as const;
export type PaymentReason = (typeof paymentReasons)[number];

type Texts<Text> = Readonly<Record<PaymentReason | UnknownWord, Text>>;

/*
 * Three records, one for each reader, so that a page loads its own only. A new reason does not compile until each has its text.
 */

/** In an order's history, for the admin. */
export const reasonInHistory: Texts<string> = {
  second_payment: 'The order had been paid already',
  person_removed: 'It came after the customer had been erased',
  order_cancelled: 'The order had been cancelled',
  stock_gone: 'It came late, and the products were sold meanwhile',
  bought_twice: 'The same cart was paid for in another order',
  duplicate_purchase:
    'It came late, and the customer had bought the same cart in another order meanwhile',
  cash_order_ended: 'It was the advance of an order to be paid at the door, which has ended',
  discount_gone: 'It came late, and its discount code was no longer valid',
  not_sold: 'It came late, and a product was no longer sold',
  price_changed: 'It came late, and the price had risen',
  amount_mismatch: 'Its amount or currency is not the order’s',
  refund_waits: 'The customer caused too many refunds, so this one waits for you',
  origin_unknown: 'Razorpay has not said yet which order it is for',
  unknown_order: 'It belonged to no order',
  unknown_word: 'This page does not know the reason yet: reload it',
};

/** Why a payment goes back, for its customer. `ordersAgain`: the customer can place the order anew. */
interface Notice {
  text: string;
  ordersAgain: boolean;
}
const sorry = 'We are sorry. The whole amount goes back to you.';
const notice = (text: string): Notice => ({ text, ordersAgain: false });
const lateNotice = (order: string, amount: string, why: string): Notice => ({
  text: `Your payment of ${amount} for ${order} reached us after we had stopped holding the order for you, and ${why}. ${sorry} You can order again from your cart.`,
  ordersAgain: true,
});
const boughtTwice = (order: string, amount: string): Notice =>
  notice(
    `You paid for ${order} after you had bought the same pieces in another order. That order stands; your payment of ${amount} for this one goes back to you in full.`,
  );
const unused = (order: string, amount: string): Notice =>
  notice(`We could not use your payment of ${amount} for ${order}. ${sorry}`);

/** In the customer's mail. `order` is its title, `amount` the formatted sum. */
export const reasonForCustomer: Texts<(order: string, amount: string) => Notice> = {
  second_payment: (order, amount) =>
    notice(
      `${order} was paid twice. Your order stands; the second payment of ${amount} goes back to you in full.`,
    ),
  order_cancelled: (order, amount) =>
    notice(
      `Your payment of ${amount} for ${order} arrived after the order had been cancelled, so we could not accept it. ${sorry}`,
    ),
  bought_twice: boughtTwice,
  duplicate_purchase: boughtTwice,
  stock_gone: (order, amount) => lateNotice(order, amount, 'the products were sold meanwhile'),
  cash_order_ended: (order, amount) => ({
    text: `Your payment of ${amount} for ${order} reached us when it could not be paid at the door any more: the order had ended, or you have as many such orders open as we take. ${sorry} You can order again from your cart.`,
    ordersAgain: true,
  }),
  discount_gone: (order, amount) =>
    lateNotice(order, amount, 'its discount code is no longer valid'),
  not_sold: (order, amount) => lateNotice(order, amount, 'what you ordered is no longer sold'),
  price_changed: (order, amount) => lateNotice(order, amount, 'its price has changed since'),
  // The order has no address any more, so that nobody is written to.
  person_removed: unused,
  // The admin writes to the customer, see private.create_refund.
  amount_mismatch: unused,
  // Stands in for any other reason: the payment waited for the admin, who sends it back now.
  refund_waits: unused,
  origin_unknown: unused,
  unknown_order: unused,
  unknown_word: unused,
};

/** What happens to a payment: the shop refunds it by itself, it waits for the admin, or the admin shall look. */
type Act = 'refunded' | 'waits' | 'bought_twice' | 'check';

/** In the admin's mail. */
export const reasonForAdmin: Texts<{ act: Act; text: string }> = {
  stock_gone: {
    act: 'refunded',
    text: 'A payment arrived after its order had expired, and the products were sold meanwhile. It is refunded automatically; the customer has been notified.',
  },
  discount_gone: {
    act: 'refunded',
    text: 'A payment arrived after its order had expired, and its discount code was no longer valid. It is refunded automatically; the customer has been notified.',
  },
  not_sold: {
    act: 'refunded',
    text: 'A customer paid an order after it had expired, and a product of it is no longer sold. The payment is refunded automatically; the customer has been notified.',
  },
  price_changed: {
    act: 'refunded',
    text: 'A customer paid an order after it had expired, at its old price; today it costs more. The payment is refunded automatically; the customer has been notified.',
  },
  cash_order_ended: {
    act: 'refunded',
    text: 'The advance of an order to be paid at the door arrived when the order was not possible so any more: it had ended, its customer had not paid a parcel at the door, or has as many such orders open as the shop takes. It is refunded automatically; the customer has been notified.',
  },
  person_removed: {
    act: 'refunded',
    text: 'A payment arrived for an order whose customer was erased, so there is no address to send it to. It is refunded automatically. The customer has NOT been notified, because the shop no longer knows them.',
  },
  second_payment: {
    act: 'refunded',
    text: 'An order was paid twice. The second payment is refunded automatically; the customer has been notified.',
  },
  order_cancelled: {
    act: 'refunded',
    text: 'A payment arrived for an order that you had cancelled. It is refunded automatically; the customer has been notified.',
  },
  amount_mismatch: {
    act: 'refunded',
    text: 'A payment does not have the amount or the currency of its order. It is refunded automatically. The customer has NOT been notified: please look at it in the Razorpay dashboard and write to them.',
  },
  bought_twice: {
    act: 'refunded',
    text: 'A customer paid for the same cart in two orders because the first payment was late. The second payment is refunded automatically; the customer has been notified. Send the other order only.',
  },
  duplicate_purchase: {
    act: 'bought_twice',
    text: 'A late payment arrived for an order that had ended. The same customer has since paid for the same products in another order. Nothing is refunded yet: please refund it under Today, or ask the customer whether they want the products twice.',
  },
  refund_waits: {
    act: 'waits',
    text: 'A payment arrived that cannot be used for its order: the customer gave the order up, paid it late or bought it twice. They caused as many refunds in the last 30 days as the shop makes automatically, and each costs you Razorpay’s fee. Nothing is refunded yet: please look at it under Today and refund it there, or write to them.',
  },
  origin_unknown: {
    act: 'check',
    text: 'A payment arrived, and Razorpay has not said yet which order it is for. Nothing is refunded yet: please look at it under Today.',
  },
  unknown_order: {
    act: 'waits',
    text: 'A payment arrived that belongs to no order. Nothing is refunded yet: please look at it under Today and refund it there.',
  },
  unknown_word: {
    act: 'check',
    text: 'A payment arrived that could not be used for its order. Please look at the order, and under Today, where you see whether it waits for you.',
  },
};
