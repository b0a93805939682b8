import * as z from 'zod';
import { text, whole, yesOrNo } from './fields.ts';

/* `src/shop/delivery.ts`: shipping, refunds, cash on delivery, and the parcel. */

const days = z
  .string('give days')
  .regex(/^\d+(?:-\d+)? (?:business|working) days?$/u, "give days, such as '5-7 business days'");

export const deliverySchema = z.strictObject({
  shipping: z.strictObject({
    /** The state in which standard shipping is free. */
    freeWithin: text('the name of a state'),
    processing: days,
    standard: days,
    express: days,
    /** The cost of express, to stand after 'Express is': 'charged by order', or '₹150 a parcel'. */
    expressCharge: text('what express costs'),
    /** Hours after delivery in which damage is to be reported. */
    damageHours: whole('hours', 1, 720),
    /** Storage for photos and videos of damage, in MB, all orders together. Supabase's free plan has 1,000. */
    claimFilesMegabytes: whole('megabytes', 10, 1_000_000),
    /** Days after the last day of delivery, after which a parcel counts as lost. */
    lostAfterDays: whole('days', 1, 90),
  }),
  refunds: z.strictObject({
    /** The time within which the shop answers a claim, and begins an agreed refund. */
    begunWithin: text("a time, such as 'two business days'", 40),
    /** How long a bank takes afterwards. */
    arriveWithin: text("a time, such as '5-7 business days'", 40),
    /**
     * Whether a customer who cancels a paid order gets the platform fee back, too. Razorpay keeps its fee of a refunded payment,
     * so `true` costs the shop about 2 % of the order. What the shop itself cancels is always paid back whole.
     */
    returnsPlatformFee: yesOrNo,
    /**
     * Rupees. The admin types the password again before the refunds since the last time come to more than this; null for never.
     * Cancelling a paid order and answering a damage claim with a refund count, too.
     */
    confirmAbove: whole('rupees', 1, 100_000_000).nullable(),
  }),
  /**
   * Cash on delivery. Left out, all orders are paid online, and the pages say so. Amounts in paise.
   */
  cashOnDelivery: z
    .strictObject({
      /** Added to an order that is paid in cash; 0 for nothing. */
      charge: whole('the charge in paise', 0, 100_000),
      /** Whether such an order has the platform fee as well. */
      platformFee: yesOrNo,
      /** The totals from and up to which an order may be paid in cash. */
      minTotal: whole('an amount in paise', 200, 100_000_000),
      maxTotal: whole('an amount in paise', 200, 100_000_000),
      /** Beginnings of the PIN codes to which couriers bring it: ['68', '69'] is Kerala. Left out, all. */
      pins: z
        .array(
          z.string().regex(/^[1-9]\d{0,5}$/u, "give the first digits of PIN codes, such as '682'"),
        )
        .min(1, 'give the first digits of at least one PIN code, or leave the setting out')
        .optional(),
      /** Paid online when the order is placed: a share of the total in percent, or an amount. Left out, all is paid in cash. */
      advance: z
        .union([
          z.strictObject({ percent: whole('percent', 1, 90) }),
          z.strictObject({ amount: whole('an amount in paise', 100, 10_000_000) }),
        ])
        .optional(),
      /** Whether the shop keeps the advance of a parcel that nobody pays at the door. What the shop ends always goes back whole. */
      keepsAdvance: yesOrNo,
      /**
       * The hours within which the shop confirms an order by phone or WhatsApp. One that it does not confirm ends, and its stock
       * comes back. A last unit of which nothing is paid waits for 48 hours at most.
       */
      confirmWithinHours: whole('hours', 1, 168),
      /** How long an account and a phone that did not pay a parcel get no cash on delivery. */
      refusedForDays: whole('days', 1, 730),
    })
    .refine(({ minTotal, maxTotal }) => minTotal < maxTotal, 'maxTotal must be more than minTotal')
    .optional(),
  /**
   * Size and weight of every parcel in the file for couriers. An order does not know its weight: give the box with its filling and
   * a typical product.
   */
  parcel: z.strictObject({
    grams: whole('grams', 1, 30_000),
    lengthCm: whole('centimetres', 1, 120),
    breadthCm: whole('centimetres', 1, 120),
    heightCm: whole('centimetres', 1, 120),
  }),
});
