import * as z from 'zod/mini';

/** Ids go into paths of the provider's API: nothing but this form may. */
export const orderIdSchema = z.string().check(z.regex(/^order_[A-Za-z0-9]{14}$/u, 'Not a Razorpay order id'));
export const paymentIdSchema = z
  .string()
  .check(z.regex(/^pay_[A-Za-z0-9]{14}$/u, 'Not a Razorpay payment id'));
const refundIdSchema = z.string().check(z.regex(/^rfnd_[A-Za-z0-9]{14}$/u, 'Not a Razorpay refund id'));

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
  /** created, authorized, captured, refunded or failed; the one field that says so (`captured` lags behind). */
  status: z.string(),
  order_id: z.nullable(orderIdSchema),
  method: z._default(z.nullable(z.string()), null),
});
/** A payment at the provider. `amount` in paise. */
export type ProviderPayment = z.infer<typeof providerPaymentSchema>;

export const providerRefundSchema = z.object({
  id: refundIdSchema,
  payment_id: paymentIdSchema,
  amount: paise,
  /** pending, processed or failed. */
  status: z.string(),
});
/** A refund at the provider. `amount` in paise. */
export type ProviderRefund = z.infer<typeof providerRefundSchema>;

/** The provider's lists: `{entity: 'collection', items}`. */
export const listOf = <T>(schema: z.ZodMiniType<T>): z.ZodMiniType<{ items: T[] }> =>
  z.object({ items: z.array(schema) });
