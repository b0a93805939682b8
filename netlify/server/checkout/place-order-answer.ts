import * as z from 'zod/mini';
import { sizedName } from '../../../src/domain/catalogue/sizes.ts';
import {
  discountRefusalSchema,
  discountRefusalText,
} from '../../../src/domain/checkout/discount-refusal.ts';
import { shortItemSchema } from '../../../src/domain/checkout/short-item.ts';
import { rupeesFromPaise } from '../../../src/domain/money.ts';
import { reopeningText } from '../../../src/domain/shop-notice.ts';
import { shop } from '../../../src/shop.config.ts';
import { HttpError } from '../platform/http-error.ts';

export const placedSchema = z.object({
  id: z.int(),
  merchant_transaction_id: z.string(),
  razorpay_order_id: z.nullable(z.string()),
  total_paise: z.int(),
  currency: z.string(),
  payment_id: z.nullable(z.string()),
  /** Until when the order holds its stock. */
  hold_expires_at: z.string(),
});

const itemSchema = z.looseObject({
  product_id: z.string(),
  name: z.string(),
  quantity: z.int(),
  price: z.coerce.number(),
});

/** What `place_order` and `place_admin_order` answer. */
export const answerSchema = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.enum(['placed', 'reused', 'paid', 'expired', 'already']),
    order: z.optional(placedSchema),
  }),
  z.object({ outcome: z.literal('closed'), until: z.string() }),
  z.object({
    outcome: z.literal('wait'),
    reason: z.enum(['cards', 'minutes', 'network', 'last_pieces']),
    until: z.optional(z.string()),
    limit: z.optional(z.int()),
  }),
  z.object({
    outcome: z.literal('too_many_units'),
    items: z.array(shortItemSchema),
    limit: z.int(),
  }),
  z.object({ outcome: z.literal('unknown_product'), product_ids: z.array(z.string()) }),
  z.object({
    outcome: z.literal('choose_size'),
    items: z.array(
      z.object({ product_id: z.string(), name: z.string(), size: z.nullable(z.string()) }),
    ),
  }),
  z.object({ outcome: z.literal('out_of_stock'), items: z.array(shortItemSchema) }),
  z.extend(discountRefusalSchema, { outcome: z.literal('discount') }),
  z.object({ outcome: z.literal('amount_out_of_range'), total_paise: z.int() }),
  z.object({
    outcome: z.literal('price_changed'),
    subtotal_paise: z.int(),
    discount_paise: z.int(),
    fee_paise: z.int(),
    total_paise: z.int(),
    items: z.array(itemSchema),
  }),
]);
type Answer = z.infer<typeof answerSchema>;

/** Why a shopper must wait before more stock is held for them, and until when. */
function waitText({ reason, until, limit }: Extract<Answer, { outcome: 'wait' }>): string {
  const minutes =
    until === undefined ? 0 : Math.max(1, Math.ceil((Date.parse(until) - Date.now()) / 60_000));
  const again = `Please try again in ${String(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}`;
  switch (reason) {
    case 'cards':
      return `Several of your payments were refused. ${again} with another way to pay, or write to us: we gladly help.`;
    case 'minutes':
      return `We kept your pieces for ${String(shop.checkout.maxHoldSeconds / 60)} minutes without a payment, so they are free for others for a while. ${again}, or write to us: we gladly help.`;
    case 'network':
      return `Somebody else on your network is paying for the last of these pieces. ${again}, or write to us: we gladly help.`;
    case 'last_pieces':
      return until === undefined
        ? `This order would take the last one of more than ${String(limit)} pieces. Please order in two parts, or write to us: we gladly help.`
        : `The last ones of many pieces are kept for your other orders, or somebody else on your network. ${again}, or write to us: we gladly help.`;
  }
}

/** Why no order was placed, for the shopper. */
export function orderRefusal(answer: Answer, discountCode = ''): HttpError {
  switch (answer.outcome) {
    case 'wait':
      return new HttpError(429, 'wait', waitText(answer));
    case 'closed':
      return new HttpError(
        409,
        'closed',
        `We take no orders at the moment. ${reopeningText(Date.parse(answer.until))} Your cart is kept.`,
      );
    case 'too_many_units':
      return new HttpError(
        409,
        'too_many_units',
        `Up to ${String(answer.limit)} of one piece can be bought at once. For more, please write to us.`,
        { items: answer.items },
      );
    case 'unknown_product':
      return new HttpError(409, 'unknown_product', 'A piece in your cart is no longer sold.', {
        product_ids: answer.product_ids,
      });
    case 'choose_size': {
      const [first] = answer.items;
      const { name, size } = { name: first?.name ?? 'this piece', size: first?.size ?? null };
      const sentence =
        size === null
          ? `Please choose a size of ${name} on its page.`
          : `${sizedName(name, size)} is no longer available. Please choose on its page again.`;
      return new HttpError(409, 'choose_size', sentence, { items: answer.items });
    }
    case 'out_of_stock':
      return new HttpError(
        409,
        'out_of_stock',
        `Not enough in stock: ${answer.items.map((item) => item.name).join(', ')}.`,
        {
          items: answer.items,
        },
      );
    case 'discount':
      return new HttpError(409, 'discount', discountRefusalText(discountCode, answer), {
        reason: answer.reason,
      });
    case 'price_changed':
      return new HttpError(
        409,
        'price_changed',
        'Prices have changed. Please look at your cart and try again.',
        {
          total_amount: rupeesFromPaise(answer.total_paise),
          subtotal: rupeesFromPaise(answer.subtotal_paise),
          discount: rupeesFromPaise(answer.discount_paise),
          fee: rupeesFromPaise(answer.fee_paise),
          items: answer.items.map(({ product_id, name, quantity, price }) => ({
            product_id,
            name,
            quantity,
            price,
          })),
        },
      );
    case 'amount_out_of_range': {
      const low = answer.total_paise < shop.limits.minAmountPaise;
      const message = low
        ? 'Amount must be at least ₹1'
        : 'Amount exceeds maximum limit of ₹10,00,000';
      return new HttpError(400, 'invalid_request', message, { fields: { total_amount: message } });
    }
    case 'paid':
      return new HttpError(409, 'already_paid', 'This order is already paid.', {
        payment: { orderId: answer.order?.razorpay_order_id ?? null },
        payment_id: answer.order?.payment_id ?? null,
      });
    default:
      return new HttpError(409, 'expired_key', 'This try has expired. Please try again.');
  }
}
