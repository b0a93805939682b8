import * as z from 'zod/mini';
import { reads } from './endpoint.ts';
import { noticeInputSchema } from './notice.ts';
import { shownWord } from '#domain/sql-word.ts';

/** Faults of a payment or a refund: the words of SQL `private.payment_problems`. */
export const paymentProblems = [
  'unmatched',
  'duplicate',
  'refund_waits',
  'dispute',
  'difference',
  'mismatch',
  'refund_failed',
  'refund_waiting',
] as const;

/** Tasks of the moment. Lists hold the first five, counts all of them. */
export const todaySchema = z.object({
  /** Orders that are paid at the door and wait to be confirmed, those that end first at the start. */
  toConfirm: z._default(
    z.object({
      count: z.int(),
      orders: z.array(
        z.object({ id: z.int(), customerName: z.string(), pieces: z.int(), until: z.string() }),
      ),
    }),
    { count: 0, orders: [] },
  ),
  /** Cash that couriers still have to bring, those with the oldest parcel first. Paise. */
  cashDue: z._default(
    z.array(
      z.object({ carrier: z.string(), count: z.int(), paise: z.int(), oldestAt: z.string() }),
    ),
    [],
  ),
  toPack: z.object({
    count: z.int(),
    orders: z.array(
      z.object({ id: z.int(), customerName: z.string(), pieces: z.int(), createdAt: z.string() }),
    ),
  }),
  /** Packed and not yet sent, those that wait longest first. */
  toShip: z.object({
    count: z.int(),
    orders: z.array(z.object({ id: z.int(), customerName: z.string(), pieces: z.int() })),
  }),
  toAnswer: z.object({
    count: z.int(),
    messages: z.array(
      z.object({ id: z.int(), name: z.string(), subject: z.string(), createdAt: z.string() }),
    ),
  }),
  /** Reports of damage that nobody has answered. */
  claims: z.object({
    count: z.int(),
    claims: z.array(
      z.object({ orderId: z.int(), customerName: z.string(), createdAt: z.string() }),
    ),
  }),
  /** Reviews that wait for the admin. */
  newReviews: z._default(z.int(), 0),
  /** Stock below `shop.limits.lowStockBelow`, but not none. */
  low: z.object({
    count: z.int(),
    products: z.array(z.object({ id: z.string(), name: z.string(), stock: z.int() })),
  }),
  soldOut: z.object({
    count: z.int(),
    products: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  /** Payments that match no order or not their order, and refunds that did not go through. */
  money: z.object({
    count: z.int(),
    items: z.array(
      z.object({
        kind: shownWord(paymentProblems),
        paymentId: z.string(),
        orderId: z.nullable(z.int()),
        amountPaise: z.int(),
        at: z.string(),
        /** Whether POST /api/admin/payments/:paymentId/refund may send it back. */
        refundable: z.boolean(),
        /** Razorpay's words about a dispute, and the last moment to answer. */
        dispute: z._default(
          z.nullable(
            z.object({
              phase: z.nullable(z.string()),
              event: z.string(),
              respondBy: z.nullable(z.string()),
            }),
          ),
          null,
        ),
      }),
    ),
  }),
  /** Stock that customers hold while they pay, those that hold it longest first; not of holds that have ended. */
  holds: z.object({
    count: z.int(),
    orders: z.array(
      z.object({
        id: z.int(),
        customerName: z.string(),
        pieces: z.int(),
        heldSince: z.string(),
        heldUntil: z.string(),
        /** Whether nobody else can buy some of it meanwhile. */
        takesLast: z.boolean(),
      }),
    ),
  }),
  /** Mails that could not be sent after many tries. */
  unsentMails: z.int(),
  /** Since when no mail goes out; null while mails do. */
  mailsStuckSince: z.nullable(z.string()),
  /** Codes of the mail server's last refusal while it refuses every mail, such as 'EAUTH 535'; null while it does not. */
  mailRefusal: z._default(z.nullable(z.string()), null),
  /** The holiday notice until its last day is over. */
  notice: z.nullable(noticeInputSchema),
  /** Paid orders since midnight in India, and in this month; paise, less what was refunded of them. */
  sales: z.object({
    todayOrders: z.int(),
    todayPaise: z.int(),
    monthOrders: z.int(),
    monthPaise: z.int(),
  }),
});
export type Today = z.infer<typeof todaySchema>;

/** Today under a version, which another one follows when it, or a list of orders or of the inbox, changes. */
export const todayAnswerSchema = z.object({
  version: z.string(),
  /** Null when it is the version in the request. */
  today: z.nullable(todaySchema),
});
export type TodayAnswer = z.infer<typeof todayAnswerSchema>;

export const todayApi = {
  /** Takes the query `known`, the version that the page shows. */
  read: reads('/api/admin/today', todayAnswerSchema),
};
