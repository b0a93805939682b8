import * as z from 'zod/mini';
import { creditNoteDocument, creditNoteSchema } from '../../../src/domain/invoice/credit-note.ts';
import { invoiceDocumentSchema } from '../../../src/domain/invoice/invoice-document.ts';
import { callFunction } from '../platform/database.ts';

/** A number with its date and its document, as the database keeps them. */
const issued = <Document extends z.core.$ZodType>(document: Document) =>
  z.object({ number: z.string(), issued_at: z.string(), document });

export const issuedCreditNoteSchema = issued(creditNoteSchema);
export type IssuedCreditNote = z.infer<typeof issuedCreditNoteSchema>;
/** An invoice by itself, and with its credit notes. */
export const plainInvoiceSchema = issued(invoiceDocumentSchema);
export const issuedInvoiceSchema = z.extend(plainInvoiceSchema, { credit_notes: z.array(issuedCreditNoteSchema) });
export type IssuedInvoice = z.infer<typeof issuedInvoiceSchema>;

const dueSchema = z.object({
  refund_id: z.int(),
  order_id: z.int(),
  amount_paise: z.int(),
  reason: z.nullable(z.string()),
  items: z.record(z.string(), z.int()),
  invoice: issuedInvoiceSchema,
});

const claimedAtOnce = 20;

/**
 * Issues the credit notes of refunds that are done, of one order or of all, until `deadline` (ms since the epoch). Two
 * callers at once issue each once: the database refuses a document that was made before another one came between.
 * Returns how many were issued.
 */
export async function issueCreditNotes({ orderId = null, deadline = Date.now() + 10_000 }: { orderId?: number | null; deadline?: number } = {}): Promise<number> {
  let issuedCount = 0;
  while (Date.now() < deadline) {
    const due = await callFunction('credit_notes_due', { p_limit: claimedAtOnce, p_order_id: orderId }, z.array(dueSchema));
    for (const { refund_id: refundId, amount_paise: amountPaise, reason, items, invoice } of due) {
      const earlier = invoice.credit_notes.map(({ document }) => document);
      const args = {
        p_refund_id: refundId,
        p_document: creditNoteDocument(invoice, earlier, { amountPaise, reason, items }),
        p_earlier: earlier.length,
      };
      const { outcome } = await callFunction('issue_credit_note', args, z.object({ outcome: z.string() }));
      if (outcome === 'issued') issuedCount += 1;
    }
    if (due.length === 0) break;
  }
  return issuedCount;
}
