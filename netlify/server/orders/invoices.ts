import * as z from 'zod/mini';
import {
  issuedInvoiceSchema,
  type IssuedInvoice,
} from '../../../src/domain/invoice/issued-documents.ts';
import { invoiceDocument } from '../../../src/domain/invoice/invoice.ts';
import { issueCreditNotes } from './credit-notes.ts';
import { orderNotFound, type OrderRecord } from './order-record.ts';
import { callFunction } from '../platform/database.ts';
import { HttpError } from '../platform/http-error.ts';

const assignedSchema = z.object({
  outcome: z.enum(['assigned', 'already', 'not_found', 'not_paid']),
  invoice: z.optional(issuedInvoiceSchema),
});

/**
 * The invoice of an order with its credit notes, issued now if it has none. Throws 409 for an order that is not paid, or
 * of which all went back before it had one: nothing was sold.
 */
export async function issueInvoice({ order, facts }: OrderRecord): Promise<IssuedInvoice> {
  const id = Number(order.id);
  const assign = () =>
    callFunction(
      'assign_invoice',
      { p_order_id: id, p_document: invoiceDocument(order, facts) },
      assignedSchema,
    );
  const first = await assign();
  if (first.outcome === 'not_found') throw orderNotFound();
  if (!first.invoice) {
    const sentence =
      'An invoice is for a paid order. This one is not paid, or all of it was cancelled or refunded.';
    throw new HttpError(409, 'not_paid', sentence);
  }
  return (await issueCreditNotes({ orderId: id })) === 0
    ? first.invoice
    : ((await assign()).invoice ?? first.invoice);
}

/** The invoice of a shopper's own order with its credit notes; null for another's, and for one that has none. */
export async function findOwnInvoice(
  shopperId: string,
  orderId: number,
): Promise<IssuedInvoice | null> {
  return callFunction(
    'own_invoice',
    { p_user_id: shopperId, p_order_id: orderId },
    z.nullable(issuedInvoiceSchema),
  );
}

/**
 * Puts the mail with an order's invoice into the outbox; within a minute of the last one that is the mail. Throws 404, or 409
 * for an order that has no invoice or no address.
 */
export async function queueInvoiceMail(id: number): Promise<void> {
  const { outcome } = await callFunction(
    'mail_invoice',
    { p_order_id: id },
    z.object({ outcome: z.string() }),
  );
  if (outcome === 'not_found') throw orderNotFound();
  if (outcome === 'no_invoice')
    throw new HttpError(
      409,
      'not_possible',
      'This order has no invoice yet. Open the invoice first: it gets its number then.',
    );
  if (outcome === 'no_address')
    throw new HttpError(
      409,
      'not_possible',
      'This order has no e-mail address to send the invoice to.',
    );
}
