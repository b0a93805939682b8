import * as z from 'zod/mini';
import { askableDetails } from '../checkout/address-hints.ts';
import { readNoticeEffect } from '../shop-notice.ts';
import { paiseFromRupees, type Paise } from '../money.ts';

/** Where a paid order is on its way. */
export const fulfilments = ['new', 'packed', 'shipped', 'delivered', 'cancelled'] as const;
export type Fulfilment = (typeof fulfilments)[number];

/** Rupees as a number or as text, in paise; null when they cannot be read. */
export const amountColumn = z.catch(
  z.pipe(
    z.union([z.number(), z.string()]),
    z.transform((value): Paise | null => paiseFromRupees(value)),
  ),
  null,
);
/** Text, or null for anything else. */
export const textColumn = z.catch(z.nullable(z.string()), null);

const paiseColumn = z.catch(z.nullable(z.int()), null);
const listColumn = z.optional(z.unknown());

/**
 * A whole row of `orders`, as SQL functions return it. Who selects fewer columns picks them with a reader (`own-order.ts`).
 * Rows are of several origins: this shop's own (paise columns, `items`), and imported ones with `products` as a list or as
 * JSON text and amounts under three names (spec sections 3, 9). An order must be seen whatever else is in its row: an
 * unreadable column counts as an empty one, and only the id is needed.
 */
export const orderRowSchema = z.object({
  id: z.union([z.number(), z.string()]),
  merchant_transaction_id: textColumn,
  created_at: textColumn,
  customer_name: textColumn,
  customer_email: textColumn,
  customer_phone: textColumn,
  customer_address: textColumn,
  customer_city: textColumn,
  customer_postal_code: textColumn,
  customer_gstin: textColumn,
  /** What the customer was asked about and kept; orders of before have none. */
  asked_about: z._default(z.array(z.enum(askableDetails)), []),
  admin_note: textColumn,
  notes: textColumn,
  gift_note: textColumn,
  items: listColumn,
  products: listColumn,
  subtotal_paise: paiseColumn,
  discount_code: textColumn,
  discount_paise: paiseColumn,
  fee_paise: paiseColumn,
  amount: amountColumn,
  total_amount: amountColumn,
  payment_amount: amountColumn,
  status: textColumn,
  payment_status: textColumn,
  payment_method: textColumn,
  payment_reference: textColumn,
  channel: textColumn,
  pay_token: textColumn,
  user_id: textColumn,
  hold_state: textColumn,
  hold_expires_at: textColumn,
  razorpay_order_id: textColumn,
  payment_id: textColumn,
  /** Paid and not refunded in full. */
  paid: z.catch(z.boolean(), false),
  paid_at: textColumn,
  fulfilment: z.catch(z.enum(fulfilments), 'new'),
  carrier: textColumn,
  tracking_number: textColumn,
  /** Shown as a link, so https only. */
  tracking_url: z.catch(z.nullable(z.string().check(z.regex(/^https:\/\/\S+$/u))), null),
  packed_at: textColumn,
  shipped_at: textColumn,
  delivered_at: textColumn,
  cancelled_at: textColumn,
  invoice_number: textColumn,
  delivery_notice: z.pipe(z.optional(z.unknown()), z.transform(readNoticeEffect)),
  hand_over: z.catch(z.boolean(), false),
  /** Part of the signed text of mailed links, see `withdraw_order_links`. */
  link_version: z.catch(z.int(), 0),
  /** Units given back to stock by `lineKey`. */
  restocked: z.catch(z.record(z.string(), z.int()), {}),
});
export type OrderRow = z.infer<typeof orderRowSchema>;
