import * as z from 'zod/mini';
import { unitsText } from '#domain/cart/cart-limits.ts';
import { sizedName } from '#domain/catalogue/sizes.ts';
import { discountRefusalText } from '#domain/checkout/discount-refusal.ts';
import { orderRefusalSchema, type OrderRefusal } from '#domain/checkout/order-outcome.ts';
import type { CashRefusal } from '#domain/sums/payment-way.ts';
import { formatRupees } from '#domain/money.ts';
import type { UnknownWord } from '#domain/sql-word.ts';
import { reopeningText } from '#domain/shop-notice.ts';
import { checkoutSettings } from '#domain/checkout/checkout-settings.ts';
import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { shop } from '#settings/shop.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

export const placedSchema = z.object({
  id: z.int(),
  merchant_transaction_id: z.string(),
  razorpay_order_id: z.nullable(z.string()),
  total_paise: z.int(),
  /** The customer pays this before the order is sent: the total, or the advance of a cash order. In paise. */
  online_paise: z.int(),
  currency: z.string(),
  payment_id: z.nullable(z.string()),
  /** Until when the order holds its stock. */
  hold_expires_at: z.string(),
});

/** What SQL `place_order` and `place_admin_order` answer with an order; the other words are those of `orderRefusalSchema`. */
export const placedOutcomes = ['placed', 'reused', 'reserved', 'already'] as const;
const placedAnswerSchema = z.object({
  outcome: z.enum(placedOutcomes),
  order: placedSchema,
  /** A cash order that another request placed, and that waits for the shop. */
  repeated: z.optional(z.literal(true)),
});

/**
 * The answer of `place_order` and `place_admin_order`. `reserved` is a cash order of which nothing is paid online any more; `already` is
 * the order of an earlier call of the admin's.
 */
export const answerSchema = z.discriminatedUnion('outcome', [
  placedAnswerSchema,
  orderRefusalSchema,
]);

/** Whether there is an order, a new or an earlier one. */
export const isPlaced = (
  answer: z.infer<typeof answerSchema>,
): answer is z.infer<typeof placedAnswerSchema> => 'order' in answer && 'id' in answer.order;

/** Why a customer must wait before more stock is held for them, and until when. */
function waitText({ reason, until, limit }: Extract<OrderRefusal, { outcome: 'wait' }>): string {
  const minutes =
    until === undefined ? 0 : Math.max(1, Math.ceil((Date.parse(until) - Date.now()) / 60_000));
  const again = `Please try again in ${String(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}`;
  switch (reason) {
    case 'cards':
      return `Several of your payments were refused. ${again} with another way to pay, or write to us: we are happy to help.`;
    case 'minutes':
      return `We held your pieces for ${String(checkoutSettings.maxHoldSeconds / 60)} minutes without a payment, so others can buy them for a while. ${again}, or write to us: we are happy to help.`;
    case 'network':
      return `The last of these pieces was held for you, or on your network, and not paid for. Others are waiting for it. ${again}, or write to us: we are happy to help.`;
    case 'last_pieces':
      return until === undefined
        ? `This order would take the last one of more than ${String(limit)} pieces. Please order in two parts, or write to us: we are happy to help.`
        : `Your other orders, or someone else on your network, already hold the last ones of many pieces. ${again}, or write to us: we are happy to help.`;
    case 'unknown_word':
      return 'These pieces cannot be held for you right now. Please try again later, or write to us: we are happy to help.';
  }
}

function chooseSizeText({ items }: Extract<OrderRefusal, { outcome: 'choose_size' }>): string {
  const [first] = items;
  const name = first?.name ?? 'this piece';
  const size = first?.size ?? null;
  return size === null
    ? `Please choose a size of ${name} on its page.`
    : `${sizedName(name, size)} is no longer available. Please choose on its page again.`;
}

/** Why an order cannot be paid at the door, for the customer, with what to do instead. */
export const cashRefusalTexts: Readonly<Record<CashRefusal | UnknownWord, string>> = {
  account:
    'Cash on delivery is for accounts with a confirmed e-mail address. You can pay now instead.',
  refused:
    'Cash on delivery is not possible for this account or phone at the moment. You can pay now instead.',
  too_little: `Cash on delivery is for orders from ${formatRupees(cashOnDelivery?.minTotal ?? 0)}. You can pay now instead.`,
  too_much: `Cash on delivery is for orders up to ${formatRupees(cashOnDelivery?.maxTotal ?? 0)}. You can pay now instead.`,
  pin: 'Couriers do not take cash at this PIN code. You can pay now instead.',
  product: 'A piece in your cart is only sold paid online. You can pay now instead.',
  phone:
    'Cash on delivery needs a phone number in India that we can call. You can pay now instead.',
  open_orders:
    'Your other orders with cash on delivery, or those of your network, are still on their way. You can pay now instead.',
  no_mail:
    'Cash on delivery is not possible at the moment. You can pay now, or try again in an hour.',
  last_unit:
    'The last unit of a piece in your cart was ordered this way before and not confirmed, so for now it is only sold paid online. You can pay now instead.',
  unknown_word: 'Cash on delivery is not possible for this order. You can pay now instead.',
};

function textOf(refusal: OrderRefusal, discountCode: string): string {
  switch (refusal.outcome) {
    case 'paid':
      return 'This order is already paid.';
    case 'expired':
      return 'Your checkout has expired. Please try again.';
    case 'closed':
      return `We are not taking orders at the moment. ${reopeningText(Date.parse(refusal.until))} Your cart is kept.`;
    case 'wait':
      return waitText(refusal);
    case 'too_many_units':
      return unitsText(refusal.limit);
    case 'unknown_product':
      return 'A piece in your cart is no longer sold.';
    case 'choose_size':
      return chooseSizeText(refusal);
    case 'out_of_stock':
      return `Not enough in stock: ${refusal.items.map((item) => item.name).join(', ')}.`;
    case 'discount':
      return discountRefusalText(discountCode, refusal);
    case 'no_cash':
      return cashRefusalTexts[refusal.reason];
    case 'amount_out_of_range':
      return refusal.total_paise < shop.limits.minAmountPaise
        ? 'Amount must be at least ₹1'
        : 'Amount exceeds maximum limit of ₹10,00,000';
    case 'price_changed':
      return 'Prices have changed. Please look at your cart and try again.';
  }
}

const statuses: Partial<Record<OrderRefusal['outcome'], number>> = {
  wait: 429,
  amount_out_of_range: 400,
};

/** Why no order was placed: the database's outcome with a sentence for the customer. */
export function orderRefusal(refusal: OrderRefusal, discountCode = ''): HttpError {
  const { outcome } = refusal;
  return new HttpError(statuses[outcome] ?? 409, outcome, textOf(refusal, discountCode), refusal);
}
