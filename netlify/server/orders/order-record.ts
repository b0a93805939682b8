import * as z from 'zod/mini';
import { callFunction } from '../platform/database.ts';
import { HttpError } from '../platform/http-error.ts';
import { issuedInvoiceSchema } from './credit-notes.ts';

const text = z.nullable(z.string());

const rowSchema = z.looseObject({
  id: z.int(),
  merchant_transaction_id: z.string(),
  created_at: z.string(),
  customer_name: text,
  customer_email: text,
  customer_phone: text,
  customer_address: text,
  customer_city: text,
  customer_postal_code: text,
  customer_gstin: text,
  notes: text,
  admin_note: z.string(),
  status: text,
  payment_status: text,
  payment_method: text,
  payment_id: text,
  paid_at: text,
  subtotal_paise: z.nullable(z.int()),
  fee_paise: z.nullable(z.int()),
  fulfilment: z.enum(['new', 'packed', 'shipped', 'delivered', 'cancelled']),
  carrier: text,
  tracking_number: text,
  tracking_url: text,
  packed_at: text,
  shipped_at: text,
  delivered_at: text,
  cancelled_at: text,
  invoice_number: text,
  restocked: z.record(z.string(), z.int()),
});

const recordSchema = z.object({
  order: rowSchema,
  refunded_paise: z.int(),
  refundable_paise: z.int(),
  payments: z.array(
    z.object({
      payment_id: z.string(),
      amount_paise: z.int(),
      state: z.enum(['accepted', 'refund_due', 'refunded', 'unmatched']),
      reason: text,
      at: z.string(),
    }),
  ),
  refunds: z.array(
    z.object({
      id: z.int(),
      payment_id: z.string(),
      amount_paise: z.int(),
      state: z.enum(['due', 'requested', 'processed', 'failed']),
      reason: text,
      last_error: text,
      razorpay_refund_id: text,
      at: z.string(),
    }),
  ),
  mails: z.array(
    z.object({
      kind: z.string(),
      recipient: text,
      at: z.string(),
      sent_at: text,
      attempts: z.int(),
      last_error: text,
    }),
  ),
  changes: z.array(z.object({ field: z.string(), old_value: z.string(), new_value: z.string(), at: z.string() })),
  /** Of the products that the catalogue still has: what their tax hangs on. */
  facts: z.record(z.string(), z.object({ category: z.string(), hsn: text })),
  invoice: z.nullable(issuedInvoiceSchema),
});
/** Everything the database has of an order, as `read_order` gives it. */
export type OrderRecord = z.infer<typeof recordSchema>;

/** The response for an order that is not there. */
export const orderNotFound = (): HttpError => new HttpError(404, 'not_found', 'There is no such order.');

/** The id of a path's segment. Throws 404 for anything that is none. */
export function readOrderId(text: string | undefined): number {
  const id = /^[1-9]\d{0,14}$/u.test(text ?? '') ? Number(text) : null;
  if (id === null) throw orderNotFound();
  return id;
}

/** Everything about an order. Throws 404 when there is none. */
export async function readOrderRecord(id: number): Promise<OrderRecord> {
  const record = await callFunction('read_order', { p_order_id: id }, z.nullable(recordSchema));
  if (record === null) throw orderNotFound();
  return record;
}
