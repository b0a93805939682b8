import * as z from 'zod/mini';
import { currentTerms } from '#domain/orders/order-terms.ts';
import { askableDetails } from '#domain/checkout/address-hints.ts';
import { cashStates } from '#domain/orders/order-cash.ts';
import { fulfilments } from '#domain/orders/order-row.ts';
import { paymentReasons } from '#domain/orders/payment-reasons.ts';
import { sumRowSchema } from '#domain/sums/sum-row-schema.ts';
import { shownWord } from '#domain/sql-word.ts';

/** The order's position among its customer's orders: `nth` of `orders`, null for an unpaid order. */
const placeAmongOrdersSchema = z.object({ nth: z.nullable(z.int()), orders: z.int() });

/**
 * The admin filter. 'to_confirm': to be paid at the door, and waits for the shop's word. 'to_pack': sold and new. 'unpaid': pending or failed. 'refunds': first any refund due, under way or failed, which
 * its count counts; then what was refunded.
 */
export const orderFilters = [
  'all',
  'to_confirm',
  'to_pack',
  'packed',
  'shipped',
  'delivered',
  'cancelled',
  'unpaid',
  'refunds',
] as const;
export type OrderFilter = (typeof orderFilters)[number];

const listedShape = {
  id: z.int(),
  /** 'KSV-1001-ab12cd', as on the receipt. */
  reference: z.string(),
  createdAt: z.string(),
  customerName: z.string(),
  customerEmail: z.string(),
  customerPhone: z.string(),
  city: z.string(),
  /** The stored text: COMPLETED, PENDING, FAILED, or any text of an imported order. */
  status: z.string(),
  paymentStatus: z.string(),
  /** Paid and not refunded in full, or confirmed to be paid at the door: the shop must pack it. */
  sold: z.boolean(),
  /** Set for an order that is paid at the door, amounts in paise. */
  cash: z.nullable(
    z.object({
      due: z.int(),
      charge: z.int(),
      rounding: z._default(z.int(), 0),
      state: z.enum(cashStates),
      advancePaymentId: z.nullable(z.string()),
      until: z.nullable(z.string()),
      confirmedAt: z.nullable(z.string()),
    }),
  ),
  /** Whether it was made in Razorpay's test mode: it is no income and is not sent. */
  isTest: z.boolean(),
  fulfilment: z.enum(fulfilments),
  totalPaise: z.int(),
  /** Refunded or being refunded. */
  refundedPaise: z.int(),
  /** A refund that is not done: the shop is retrying it, or the admin must act. Null for none. */
  openRefund: z.nullable(z.enum(['waiting', 'failed'])),
  /** Handed over in person, so there is no parcel. */
  handedOver: z.boolean(),
  pieces: z.int(),
  /** Name of the first item. */
  firstItem: z.string(),
  notes: z.string(),
};
/** What went back for an order, and what has not yet, of all its payments. `lastAt`: when the last of it was requested. */
const refundSumsSchema = z.object({
  donePaise: z.int(),
  openPaise: z.int(),
  lastAt: z.iso.datetime({ offset: true }),
});
export const listedOrderSchema = z.object({
  ...listedShape,
  /** Null without a refund. */
  refundSums: z.optional(z.nullable(refundSumsSchema)),
});
export type ListedOrder = z.infer<typeof listedOrderSchema>;

/** One page; those to pack and packed come oldest first, those refunded by their last refund, all others newest first. `next` is the cursor of the following page. Counts are of the whole shop, for the filters. */
export const orderPageSchema = z.object({
  orders: z.array(listedOrderSchema),
  next: z.nullable(z.string()),
  counts: z.record(z.enum(orderFilters), z.int()),
});
export type OrderPage = z.infer<typeof orderPageSchema>;

export const adminOrderSchema = z.object({
  ...listedShape,
  /** The admin's note, which the customer never sees. */
  adminNote: z.string(),
  giftNote: z.string(),
  recipientName: z.string(),
  recipientPhone: z.string(),
  address: z.string(),
  postalCode: z.string(),
  /** The details that the customer was asked about and kept, and that may still not be usable. */
  askedAbout: z.array(z.enum(askableDetails)),
  /** The customer's, '' for none. */
  gstin: z.string(),
  /** The state of the PIN code; null when it has none. */
  state: z.nullable(z.string()),
  items: z.array(
    z.object({
      productId: z.nullable(z.string()),
      /** Set for a product with sizes; `name` includes it. */
      size: z.optional(z.string()),
      name: z.string(),
      quantity: z.int(),
      pricePaise: z.int(),
      /** The line's share of the order's discount. */
      discountPaise: z.int(),
      /** Path in the bucket, absolute address or null. */
      image: z.nullable(z.string()),
      /** Units given back to stock by refunds and cancellation. */
      restocked: z.int(),
    }),
  ),
  /** The rows that add up to its total. */
  rows: z.array(sumRowSchema),
  // An open page of release 1.3.2 reads the parts, as `charge` and `rounding` above.
  subtotalPaise: z.int(),
  discountCode: z.nullable(z.string()),
  discountPaise: z.int(),
  feePaise: z.int(),
  paidAt: z.nullable(z.string()),
  paymentId: z.nullable(z.string()),
  paymentMethod: z.nullable(z.string()),
  paymentReference: z.nullable(z.string()),
  /** Where the admin sold it; null: in the shop itself. */
  channel: z.nullable(z.string()),
  /** The payment link's token and end; null when there is nothing to pay by link. */
  payLink: z.nullable(z.object({ token: z.string(), until: z.string() })),
  carrier: z.nullable(z.string()),
  trackingNumber: z.nullable(z.string()),
  trackingUrl: z.nullable(z.string()),
  packedAt: z.nullable(z.string()),
  shippedAt: z.nullable(z.string()),
  deliveredAt: z.nullable(z.string()),
  cancelledAt: z.nullable(z.string()),
  /** 'KSV/2026-27/0001'; null until it is first printed or the order ships. */
  invoiceNumber: z.nullable(z.string()),
  /** What the shop promised when it was placed. A page that was stored before has none. */
  terms: z._default(z.object({ damageHours: z.int(), keepsAdvance: z.boolean() }), currentTerms),
  /** The amount that can still be refunded. */
  refundablePaise: z.int(),
  /** What goes back of a cash order's advance if it ends now: less than the advance once a part of it went back. */
  advanceLeftPaise: z._default(z.int(), 0),
  payments: z.array(
    z.object({
      paymentId: z.string(),
      amountPaise: z.int(),
      state: z.enum(['accepted', 'refund_due', 'refunded', 'unmatched']),
      reason: z.nullable(shownWord(paymentReasons)),
      at: z.string(),
      /** What a bank gave back to the customer by lost disputes. */
      lostPaise: z._default(z.int(), 0),
    }),
  ),
  refunds: z.array(
    z.object({
      id: z.int(),
      paymentId: z.string(),
      amountPaise: z.int(),
      state: z.enum(['due', 'requested', 'processed', 'failed']),
      reason: z.nullable(z.string()),
      lastError: z.nullable(z.string()),
      razorpayRefundId: z.nullable(z.string()),
      at: z.string(),
      /** When its state or its last try was recorded. */
      triedAt: z.string(),
      nextTryAt: z.string(),
      /** Whether a bank decides about its payment; it is not sent until then. */
      disputed: z._default(z.boolean(), false),
    }),
  ),
  /** Which of its customer's orders it is. */
  customer: placeAmongOrdersSchema,
  /** When it last changed, of which an answer of the admin that lets something go out is one. */
  revision: z.string(),
  /**
   * Corrections of the customer's details and notes. `field` is one of `OrderDetail`. A customer changes details of an order that waits for
   * the shop's word.
   */
  changes: z.array(
    z.object({
      field: z.string(),
      oldValue: z.string(),
      newValue: z.string(),
      at: z.string(),
      // A database of before does not say, and had those of the shop alone.
      by: z._default(z.enum(['shop', 'customer']), 'shop'),
    }),
  ),
  mails: z.array(
    z.object({
      kind: z.string(),
      /** The address; null when the mail went to the admin. */
      recipient: z.nullable(z.string()),
      at: z.string(),
      sentAt: z.nullable(z.string()),
      attempts: z.int(),
      lastError: z.nullable(z.string()),
    }),
  ),
});
export type AdminOrder = z.infer<typeof adminOrderSchema>;
