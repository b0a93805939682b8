import * as z from 'zod/mini';
import { creditNoteDocument } from '#domain/invoice/credit-note.ts';
import { issuedInvoiceSchema } from '#domain/invoice/issued-documents.ts';
import { shownWord } from '#domain/sql-word.ts';
import { callFunction } from '#core/platform/database.ts';

const dueSchema = z.object({
  /** Null for what no refund gave back of a cancelled order; `reason` is then why it ended, or 'lost'. */
  refundId: z.nullable(z.int()),
  orderId: z.int(),
  amountPaise: z.int(),
  reason: z.nullable(z.string()),
  items: z.record(z.string(), z.int()),
  invoice: issuedInvoiceSchema,
});

/** What SQL `issue_credit_note` answers. */
export const creditNoteOutcomes = ['issued', 'already', 'not_due', 'changed'] as const;

const claimedAtOnce = 20;

/**
 * Issues the credit notes of refunds that are done, and of what no refund gave back of cancelled orders, of one order or of all, until
 * `deadline` (ms since the epoch). Two callers at once issue each once: the database refuses a document that was made before another one came between.
 * Returns how many were issued.
 */
export async function issueCreditNotes({
  orderId = null,
  deadline = Date.now() + 10_000,
}: { orderId?: number | null; deadline?: number } = {}): Promise<number> {
  let issuedCount = 0;
  while (Date.now() < deadline) {
    const due = await callFunction(
      'credit_notes_due',
      { p_limit: claimedAtOnce, p_order_id: orderId },
      z.array(dueSchema),
    );
    for (const { refundId, orderId: refusedOrderId, amountPaise, reason, items, invoice } of due) {
      const earlier = invoice.creditNotes.map(({ document }) => document);
      const args = {
        p_refund_id: refundId,
        p_document: creditNoteDocument(invoice, earlier, {
          cause: refundId === null ? 'refused' : 'refund',
          amountPaise,
          reason,
          items,
        }),
        p_earlier: earlier.length,
        ...(refundId === null && { p_refused_order_id: refusedOrderId }),
      };
      const { outcome } = await callFunction(
        'issue_credit_note',
        args,
        z.object({ outcome: shownWord(creditNoteOutcomes) }),
      );
      if (outcome === 'issued') issuedCount += 1;
    }
    if (due.length === 0) break;
  }
  return issuedCount;
}
