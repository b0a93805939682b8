import * as z from 'zod/mini';
import { invoiceDocumentSchema, invoiceLineSchema } from './invoice-document.ts';

/** A line of a credit note; `index` is its place among the invoice's lines. `quantity` is 0 for a part of a price. */
const creditLineSchema = z.object({ ...invoiceLineSchema.shape, index: z.int() });
export type CreditLine = z.infer<typeof creditLineSchema>;

/** A credit note as it was issued, stored and never changed: what of an invoice was taken back. Amounts are positive. */
export const creditNoteSchema = z.object({
  ...invoiceDocumentSchema.shape,
  invoice: z.object({ number: z.string(), issuedAt: z.string() }),
  reason: z.nullable(z.string()),
  /** Set when the shop returned nothing to the buyer: cash never came, or the buyer's bank returned the payment. */
  cause: z.optional(z.literal('refused')),
  /** Set when it was the bank. A key of its own, because 1.3.1 reads no other `cause`. */
  isLost: z.optional(z.literal(true)),
  lines: z.array(creditLineSchema),
});
export type CreditNoteDocument = z.infer<typeof creditNoteSchema>;

/** A document with its number and date. */
const issued = <Document extends z.core.$ZodType>(document: Document) =>
  z.object({ number: z.string(), issuedAt: z.string(), document });

export const issuedCreditNoteSchema = issued(creditNoteSchema);
export type IssuedCreditNote = z.infer<typeof issuedCreditNoteSchema>;
/** An invoice by itself, and with its credit notes. */
export const plainInvoiceSchema = issued(invoiceDocumentSchema);
export const issuedInvoiceSchema = z.extend(plainInvoiceSchema, {
  creditNotes: z.array(issuedCreditNoteSchema),
});
export type IssuedInvoice = z.infer<typeof issuedInvoiceSchema>;
