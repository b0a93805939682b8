import * as z from 'zod/mini';
import { askableDetails } from '#domain/checkout/address-hints.ts';
import { readNoticeEffect } from '#domain/shop-notice.ts';
import { paiseFromRupees, type Paise } from '#domain/money.ts';
import { rowRefunds, rowTaxes } from '#domain/sums/sum-rows.ts';
import { readTerms } from './order-terms.ts';

/**
 * Where a paid order is on its way. 'unknown' is any other text: the site of before reads the database of after, and a state that it
 * does not know is not 'new', which would be packed.
 */
export const fulfilments = [
  'new',
  'packed',
  'shipped',
  'delivered',
  'cancelled',
  'unknown',
] as const;
export type Fulfilment = (typeof fulfilments)[number];

/** Rupees of an imported order, as a number or as text, in paise; null when they cannot be read. */
export const importedAmount = z.catch(
  z.pipe(
    z.union([z.number(), z.string()]),
    z.transform((value): Paise | null => paiseFromRupees(value)),
  ),
  null,
);
/** Text of an imported order, or null for anything else. */
export const importedText = z.catch(z.nullable(z.string()), null);

/** The column of an order's id as the confirmation page has it: Razorpay's, or the reference of an order that Razorpay does not know. */
export const idColumn = (id: string): 'razorpay_order_id' | 'merchant_transaction_id' =>
  id.startsWith('order_') ? 'razorpay_order_id' : 'merchant_transaction_id';

const textColumn = z._default(z.nullable(z.string()), null);
const paiseColumn = z._default(z.nullable(z.int()), null);
const listColumn = z.optional(z.unknown());

/** What SQL stores of a row of the sum: goods and discount have no tax of their own, and an order of before has no labels. */
const storedRow = z.object({
  kind: z.string(),
  paise: z.int(),
  label: textColumn,
  tax: z.catch(z.enum(rowTaxes), 'lines'),
  refund: z.catch(z.enum(rowRefunds), 'lines'),
});
export const storedRowsSchema = z.array(storedRow);

/**
 * A whole row of `orders`, as SQL functions return it. Who selects fewer columns picks them with a reader (`own-order.ts`).
 * Rows are of several origins: this shop's own (paise columns, `items`), and imported ones with `products` as a list or as
 * JSON text, amounts under three names and statuses of their own (spec sections 3, 9). What an import may bring in any shape is read
 * tolerantly. What only this shop writes is parsed strictly: a value of another type is a fault, not an empty column.
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
  recipient_name: textColumn,
  recipient_phone: textColumn,
  items: listColumn,
  products: listColumn,
  sum_rows: z._default(z.nullable(storedRowsSchema), null),
  subtotal_paise: paiseColumn,
  discount_code: textColumn,
  discount_paise: paiseColumn,
  fee_paise: paiseColumn,
  cash_paise: z._default(z.int(), 0),
  cash_charge_paise: z._default(z.int(), 0),
  advance_payment_id: textColumn,
  cash_confirmed_at: textColumn,
  amount: importedAmount,
  total_amount: importedAmount,
  payment_amount: importedAmount,
  status: importedText,
  payment_status: importedText,
  payment_method: textColumn,
  payment_reference: textColumn,
  channel: textColumn,
  pay_token: textColumn,
  user_id: textColumn,
  hold_expires_at: textColumn,
  razorpay_order_id: textColumn,
  /** Whether it was made with a test key of Razorpay. */
  is_test: z._default(z.boolean(), false),
  payment_id: textColumn,
  terms: z.pipe(z.optional(z.unknown()), z.transform(readTerms)),
  /** What `answersOf` reads. */
  state: textColumn,
  kind: textColumn,
  paid_at: textColumn,
  fulfilment: z.catch(z.enum(fulfilments), 'unknown'),
  carrier: textColumn,
  tracking_number: textColumn,
  /** Shown as a link, so https only. The database takes spaces in it. */
  tracking_url: z.catch(z.nullable(z.string().check(z.regex(/^https:\/\/\S+$/u))), null),
  packed_at: textColumn,
  shipped_at: textColumn,
  delivered_at: textColumn,
  cancelled_at: textColumn,
  invoice_number: textColumn,
  delivery_notice: z.pipe(z.optional(z.unknown()), z.transform(readNoticeEffect)),
  hand_over: z._default(z.boolean(), false),
  /** Part of the signed text of mailed links, see `withdraw_order_links`. */
  link_version: z._default(z.int(), 0),
  /** Units given back to stock by `lineKey`. */
  restocked: z._default(z.record(z.string(), z.int()), {}),
});
export type OrderRow = z.infer<typeof orderRowSchema>;
export type StoredRow = z.infer<typeof storedRow>;
