import * as z from 'zod/mini';
import { invoiceDocumentSchema, invoiceRefundSchema } from '../../../src/domain/invoice/invoice-document.ts';
import { invoiceDocument } from '../../../src/domain/invoice/invoice.ts';
import { orderNotFound, type OrderRecord } from './order-record.ts';
import { callFunction } from '../platform/database.ts';
import { HttpError } from '../platform/http-error.ts';
import type { IssuedInvoice } from './print/invoice-page.ts';

const issuedSchema = z.object({ number: z.string(), issued_at: z.string(), document: invoiceDocumentSchema });
const assignedSchema = z.object({ outcome: z.enum(['assigned', 'already', 'not_found', 'not_paid']), invoice: z.optional(issuedSchema) });

/**
 * The invoice of an order, issued now if it has none. Throws 409 for an order that is not paid, or of which all went
 * back before it had one: nothing was sold.
 */
export async function issueInvoice({ order, facts, refunds }: OrderRecord): Promise<IssuedInvoice> {
  const args = { p_order_id: order.id, p_document: invoiceDocument(order, facts) };
  const { outcome, invoice } = await callFunction('assign_invoice', args, assignedSchema);
  if (outcome === 'not_found') throw orderNotFound();
  if (!invoice) {
    const sentence = 'An invoice is for a paid order. This one is not paid, or all of it was cancelled or refunded.';
    throw new HttpError(409, 'not_paid', sentence);
  }
  const back = refunds.filter(({ state, payment_id: payment }) => state !== 'failed' && payment === order.payment_id);
  return { ...invoice, refunds: back.map(({ amount_paise, at }) => ({ amount_paise, at })) };
}

const ownSchema = z.nullable(z.object({ ...issuedSchema.shape, refunds: z.array(invoiceRefundSchema) }));

/** The invoice of a shopper's own order; null for another's, and for one that has none. */
export async function findOwnInvoice(shopperId: string, orderId: number): Promise<IssuedInvoice | null> {
  return callFunction('own_invoice', { p_user_id: shopperId, p_order_id: orderId }, ownSchema);
}
