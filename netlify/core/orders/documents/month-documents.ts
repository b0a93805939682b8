import * as z from 'zod/mini';
import { isDecidedByTotal, type ReturnMonth } from '#domain/invoice/gstr1/gstr1.ts';
import { issuedCreditNoteSchema, plainInvoiceSchema } from '#domain/invoice/issued-documents.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import { callFunction } from '#core/platform/database.ts';
import { issueCreditNotes } from './credit-notes.ts';

const monthSchema = z.object({
  invoices: z.array(plainInvoiceSchema),
  creditNotes: z.array(issuedCreditNoteSchema),
});
export type Month = z.infer<typeof monthSchema>;

const fetchMonth = (month: string): Promise<Month> =>
  callFunction('month_documents', { p_month: `${month}-01` }, monthSchema);

/** The documents of a month of India's calendar, '2026-11', each in the month of its own date; credit notes that are due are issued first. */
export async function readMonthDocuments(month: string): Promise<Month> {
  await issueCreditNotes();
  return fetchMonth(month);
}

/** The month with the totals of its credit notes' invoices, for GSTR-1: the months of these are read where they are needed. */
export async function readReturnMonth(month: string): Promise<ReturnMonth> {
  const { invoices, creditNotes } = await readMonthDocuments(month);
  const earlier = creditNotes
    .filter(({ document }) => isDecidedByTotal(document))
    .map(({ document }) => isoDateInIndia(document.invoice.issuedAt).slice(0, 7))
    .filter((name) => name !== month);
  const months = await Promise.all([...new Set(earlier)].map(fetchMonth));
  const totals = new Map(
    [invoices, ...months.map((other) => other.invoices)]
      .flat()
      .map(({ number, document }) => [number, document.totalPaise]),
  );
  return {
    invoices,
    creditNotes: creditNotes.map((note) => ({
      ...note,
      invoiceTotalPaise: totals.get(note.document.invoice.number) ?? note.document.totalPaise,
    })),
  };
}
