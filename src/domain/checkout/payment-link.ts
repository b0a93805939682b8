import * as z from 'zod/mini';
import { sumRowSchema } from '#domain/sums/sum-row-schema.ts';

/** The parameters of a payment link to an order that the admin made. */
export interface PaymentLink {
  orderId: number;
  token: string;
}

/** '/pay?order=1001&token=…' */
export const paymentPath = ({ orderId, token }: PaymentLink): string =>
  `/pay?${new URLSearchParams({ order: String(orderId), token }).toString()}`;

/** Parses the query of a payment link; null when it is not one. */
export function readPaymentLink(query: URLSearchParams): PaymentLink | null {
  const [order, token] = [query.get('order') ?? '', query.get('token') ?? ''];
  return /^[1-9]\d{0,14}$/u.test(order) && /^[\w-]{32}$/u.test(token)
    ? { orderId: Number(order), token }
    : null;
}

/** The answer of GET /api/payment/link. Amounts in paise. @public */
export const linkedOrderSchema = z.object({
  /** `ended`: its time is over, or it was cancelled or refunded. */
  state: z.enum(['open', 'paid', 'ended']),
  orderId: z.int(),
  items: z.array(
    z.object({
      name: z.string(),
      quantity: z.int(),
      pricePaise: z.int(),
      image: z.nullable(z.string()),
    }),
  ),
  /** The rows that add up to its total. */
  rows: z.array(sumRowSchema),
  totalPaise: z.int(),
  /** Until when its stock is held. */
  until: z.nullable(z.string()),
  /** What Checkout needs; null unless the order is open. */
  checkout: z.nullable(
    z.object({
      key: z.string(),
      razorpayOrderId: z.string(),
      currency: z.string(),
      customer: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
    }),
  ),
});
export type LinkedOrder = z.infer<typeof linkedOrderSchema>;
