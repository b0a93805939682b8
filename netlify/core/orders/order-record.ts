import * as z from 'zod/mini';
import { adminOrderSchema } from '#domain/admin/orders/orders.ts';
import { taxFactsSchema } from '#domain/invoice/gst.ts';
import { orderSchema } from '#domain/orders/order.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

const {
  refundedPaise,
  openRefund,
  refundablePaise,
  advanceLeftPaise,
  payments,
  refunds,
  mails,
  changes,
  customer,
} = adminOrderSchema.shape;

const recordSchema = z.object({
  order: orderSchema,
  refundedPaise,
  openRefund,
  refundablePaise,
  advanceLeftPaise,
  payments,
  refunds,
  mails,
  changes,
  customer,
  facts: taxFactsSchema,
  /** When the order last changed. Writes compare it, to detect changes in between. */
  revision: z.string(),
});
/** Everything about an order, as `read_order` returns it. */
export type OrderRecord = z.infer<typeof recordSchema>;

/** The 404 of an unknown order. */
export const orderNotFound = (): HttpError =>
  new HttpError(404, 'not_found', 'There is no such order.');

/** Parses an order id in a path. Throws 404 for an invalid one. */
export function readOrderId(text: string | undefined): number {
  const id = /^[1-9]\d{0,14}$/u.test(text ?? '') ? Number(text) : null;
  if (id === null) throw orderNotFound();
  return id;
}

/** Everything about several orders; unknown ones are left out. @public */
export const readOrderRecords = (ids: readonly number[]): Promise<OrderRecord[]> =>
  callFunction('read_orders', { p_order_ids: ids }, z.array(recordSchema));

/** Everything about an order. Throws 404 when there is none. */
export async function readOrderRecord(id: number): Promise<OrderRecord> {
  const record = await callFunction('read_order', { p_order_id: id }, z.nullable(recordSchema));
  if (record === null) throw orderNotFound();
  return record;
}
