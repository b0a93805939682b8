import * as z from 'zod/mini';
import { issuedInvoiceSchema, type IssuedInvoice } from '#domain/invoice/issued-documents.ts';
import { invoiceDocument } from '#domain/invoice/invoice.ts';
import { shownWord, unknownWord } from '#domain/sql-word.ts';
import { issueCreditNotes } from './credit-notes.ts';
import { orderNotFound, readOrderRecord } from '#core/orders/order-record.ts';
import { notPossible } from '#core/orders/order-refusal.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

/** What SQL `assign_invoice` answers. */
export const invoiceOutcomes = [
  'assigned',
  'already',
  'not_found',
  'not_paid',
  'outdated',
] as const;

const assignedSchema = z.object({ outcome: shownWord(invoiceOutcomes) });

/** Issues the invoice of an order as it is read now. */
async function assignInvoice(id: number): Promise<z.infer<typeof assignedSchema>> {
  const { order, facts, revision } = await readOrderRecord(id);
  const args = {
    p_order_id: id,
    p_document: invoiceDocument(order, facts),
    p_revision: revision,
  };
  return callFunction('assign_invoice', args, assignedSchema);
}

/**
 * Issues the invoice of an order if it has none, and the credit notes that are due. Throws 404, or 409 for an order that is not
 * paid, or of which all went back before it had one: nothing was sold.
 */
export async function issueInvoice(id: number): Promise<void> {
  let answer = await assignInvoice(id);
  // Retries when the order changed after it was read, so that the invoice shows its current details.
  for (let tries = 1; answer.outcome === 'outdated' && tries < 3; tries += 1)
    answer = await assignInvoice(id);
  if (answer.outcome === 'not_found') throw orderNotFound();
  if (answer.outcome === 'outdated' || answer.outcome === unknownWord)
    throw notPossible(answer.outcome);
  if (answer.outcome === 'not_paid') {
    const sentence =
      'Only paid orders get an invoice. This one is not paid, or was cancelled or fully refunded.';
    throw new HttpError(409, 'not_paid', sentence);
  }
  await issueCreditNotes({ orderId: id });
}

/** The invoice of an order with its credit notes. Throws 404 when it has none. */
export async function readInvoice(id: number): Promise<IssuedInvoice> {
  const invoice = await callFunction(
    'read_invoice',
    { p_order_id: id },
    z.nullable(issuedInvoiceSchema),
  );
  if (invoice !== null) return invoice;
  throw new HttpError(404, 'no_invoice', 'This order has no invoice yet.');
}

/** The invoice of a customer's own order with its credit notes; null for another's, and for one that has none. */
export async function findOwnInvoice(
  customerId: string,
  orderId: number,
): Promise<IssuedInvoice | null> {
  return callFunction(
    'own_invoice',
    { p_user_id: customerId, p_order_id: orderId },
    z.nullable(issuedInvoiceSchema),
  );
}

/** What SQL `mail_invoice` answers. */
export const invoiceMailOutcomes = [
  'queued',
  'already',
  'no_invoice',
  'no_address',
  'not_found',
] as const;

const mailSentences: Readonly<
  Record<Exclude<(typeof invoiceMailOutcomes)[number], 'queued' | 'already' | 'not_found'>, string>
> = {
  no_invoice: 'This order has no invoice yet. Press ‘Invoice’ first: it gets its number then.',
  no_address: 'This order has no e-mail address to send the invoice to.',
};

/**
 * Puts the mail with an order's invoice into the outbox; within a minute of the last one that is the mail. Throws 404, or 409
 * for an order that has no invoice or no address.
 */
export async function queueInvoiceMail(id: number): Promise<void> {
  const { outcome } = await callFunction(
    'mail_invoice',
    { p_order_id: id },
    z.object({ outcome: shownWord(invoiceMailOutcomes) }),
  );
  if (outcome === 'queued' || outcome === 'already') return;
  if (outcome === 'not_found') throw orderNotFound();
  if (outcome === unknownWord) throw notPossible(outcome);
  throw new HttpError(409, 'not_possible', mailSentences[outcome]);
}
