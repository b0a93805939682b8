import * as z from 'zod/mini';

/** Ids go into paths of the provider's API: nothing but this form may. */
export const orderIdSchema = z
  .string()
  .check(z.regex(/^order_[A-Za-z0-9]{14}$/u, 'Not a Razorpay order id'));
export const paymentIdSchema = z
  .string()
  .check(z.regex(/^pay_[A-Za-z0-9]{14}$/u, 'Not a Razorpay payment id'));
const refundIdSchema = z
  .string()
  .check(z.regex(/^rfnd_[A-Za-z0-9]{14}$/u, 'Not a Razorpay refund id'));

const paise = z.int().check(z.nonnegative());

export const providerOrderSchema = z.object({
  id: orderIdSchema,
  amount: paise,
  currency: z.string(),
  receipt: z.nullable(z.string()),
  status: z.string(),
});
/** An order at the provider. `amount` in paise. */
export type ProviderOrder = z.infer<typeof providerOrderSchema>;

export const providerPaymentSchema = z.object({
  id: paymentIdSchema,
  amount: paise.check(z.positive()),
  currency: z.string(),
  /** created, authorized, captured, refunded or failed; the only field with the state. */
  status: z.string(),
  order_id: z.nullable(orderIdSchema),
  /**
   * A refunded payment with `false` was authorised, never captured, and went back by itself. The field of any other payment may lag
   * behind.
   */
  captured: z._default(z.nullable(z.boolean()), null),
  method: z._default(z.nullable(z.string()), null),
  amount_refunded: z._default(paise, 0),
  /** When the customer made it, in Unix seconds; how late it was reported says nothing. */
  created_at: z._default(z.nullable(z.int()), null),
});
/** A payment at the provider. Amounts in paise. */
export type ProviderPayment = z.infer<typeof providerPaymentSchema>;

export const providerRefundSchema = z.object({
  id: refundIdSchema,
  payment_id: paymentIdSchema,
  amount: paise.check(z.positive()),
  status: z.enum(['pending', 'processed', 'failed']),
  /** The refund's idempotency key. Null for a refund made in the provider's dashboard. */
  receipt: z._default(z.nullable(z.string()), null),
});
/** A refund at the provider. `amount` in paise. */
export type ProviderRefund = z.infer<typeof providerRefundSchema>;

/** A dispute of a payment at the provider. `amount` in paise, times in Unix seconds. */
export const providerDisputeSchema = z.object({
  id: z.string().check(z.maxLength(60)),
  payment_id: paymentIdSchema,
  amount: paise,
  /** open, under_review, won, lost or closed. */
  status: z._default(z.string(), 'open'),
  created_at: z._default(z.int(), 0),
  /** fraud, retrieval, chargeback, pre_arbitration or arbitration: what the bank wants of the shop follows from it. */
  phase: z.catch(z.nullable(z.string()), null),
  reason_code: z.catch(z.nullable(z.string()), null),
  /** The last moment to answer. Without an answer the dispute is lost. */
  respond_by: z.catch(z.nullable(z.int()), null),
  /** Paise taken from the balance for a lost dispute; 0 before. */
  amount_deducted: z.catch(z.nullable(paise), null),
});
export type ProviderDispute = z.infer<typeof providerDisputeSchema>;

/** A list of the provider, `{entity: 'collection', items}`, read item by item: an unreadable item is counted and skipped. */
export interface ProviderList<T> {
  items: T[];
  /** How many items could not be read. */
  unreadable: number;
}

const collectionSchema = z.object({ items: z.array(z.unknown()) });

export const listOf = <T>(schema: z.ZodMiniType<T>): z.ZodMiniType<ProviderList<T>> =>
  z.pipe(
    collectionSchema,
    z.transform(({ items }) => {
      const read = items.flatMap((item) => {
        const parsed = schema.safeParse(item);
        return parsed.success ? [parsed.data] : [];
      });
      return { items: read, unreadable: items.length - read.length };
    }),
  );
