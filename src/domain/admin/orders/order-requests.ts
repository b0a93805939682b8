import * as z from 'zod/mini';
import { typedLine } from '#domain/typed-text.ts';

const text = (minLength: number, maxLength: number, message: string) =>
  z
    .string(message)
    .check(typedLine(), z.minLength(minLength, message), z.maxLength(maxLength, message));

/** True to ship although Razorpay did not answer whether the payment was refunded. */
const unchecked = z.optional(z.boolean());

/** Body of POST /api/admin/orders/:id/fulfilment. Going one step back is allowed, to correct a mistake. */
export const fulfilmentChangeSchema = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['new', 'packed', 'delivered']), unchecked }),
  z.object({
    state: z.literal('shipped'),
    carrier: text(2, 80, 'Carrier must be 2 to 80 characters'),
    /** '' for a parcel without one, such as ordinary post. */
    trackingNumber: z
      .string()
      .check(typedLine(), z.regex(/^$|^.{3,60}$/u, 'Tracking number must be 3 to 60 characters')),
    trackingUrl: z.optional(
      z
        .string()
        .check(
          typedLine(),
          z.regex(/^$|^https:\/\/\S{4,500}$/u, 'A tracking link begins with https://'),
        ),
    ),
    unchecked,
  }),
]);
export type FulfilmentChange = z.infer<typeof fulfilmentChangeSchema>;

/** Razorpay's minimum refund: ₹1. `request_refund` refuses less, too. */
export const minRefundPaise = 100;

/** Quantities of an order's lines. @public */
export const quantitiesSchema = z.array(
  z.object({
    productId: z.uuid(),
    size: z.optional(z.string()),
    quantity: z.int().check(z.minimum(1), z.maximum(100_000)),
  }),
);

/**
 * Body of POST /api/admin/orders/:id/refund. `items` has what the amount is for, `restock` what returns to stock.
 * `key` is created once per press of the button: the same key is one refund.
 */
export const refundRequestSchema = z.object({
  key: z.uuid(),
  amountPaise: z.int('Amount must be in rupees').check(z.minimum(minRefundPaise, 'At least ₹1')),
  reason: text(1, 200, 'Say why, in at most 200 characters'),
  items: z._default(quantitiesSchema, []),
  restock: quantitiesSchema,
});
export type RefundRequest = z.infer<typeof refundRequestSchema>;

/** Body of POST /api/admin/orders/:id/cancel: before shipping; refunds the full amount. */
export const cancelRequestSchema = z.object({
  key: z.uuid(),
  reason: text(1, 200, 'Say why, in at most 200 characters'),
  restock: z.boolean(),
});
export type CancelRequest = z.infer<typeof cancelRequestSchema>;
