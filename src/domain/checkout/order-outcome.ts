import * as z from 'zod/mini';
import { discountRefusalSchema } from './discount-refusal.ts';
import { cashRefusals } from '#domain/sums/payment-way.ts';
import { shownWord } from '#domain/sql-word.ts';
import { shortItemSchema } from './short-item.ts';

/** Why a customer must wait before more stock is held for them: `cards` of SQL `place_cart`, the others of `limit_hold`. */
export const waitReasons = ['cards', 'minutes', 'network', 'last_pieces'] as const;

/**
 * Why no order was placed: the outcomes of SQL `place_order`, in its words. The database returns them, create-order
 * answers them with a `message`, and the checkout reads them. Amounts in paise, prices of items in rupees.
 */
export const orderRefusalSchema = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('paid'),
    order: z.object({
      razorpay_order_id: z.nullable(z.string()),
      payment_id: z.nullable(z.string()),
    }),
  }),
  z.object({ outcome: z.literal('expired') }),
  z.object({ outcome: z.literal('closed'), until: z.string() }),
  z.object({
    outcome: z.literal('wait'),
    reason: shownWord(waitReasons),
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
  z.object({ outcome: z.literal('no_cash'), reason: shownWord(cashRefusals) }),
  z.object({ outcome: z.literal('amount_out_of_range'), total_paise: z.int() }),
  z.object({
    outcome: z.literal('price_changed'),
    subtotal_paise: z.int(),
    discount_paise: z.int(),
    fee_paise: z.int(),
    total_paise: z.int(),
    items: z.array(
      z.object({
        product_id: z.string(),
        name: z.string(),
        quantity: z.int(),
        price: z.coerce.number(),
      }),
    ),
  }),
]);
export type OrderRefusal = z.infer<typeof orderRefusalSchema>;
