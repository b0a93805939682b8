import fc from 'fast-check';
import { creditNoteDocument } from '#domain/invoice/credit-note.ts';
import type { InvoiceDocument } from '#domain/invoice/invoice-document.ts';
import { invoiceDocument } from '#domain/invoice/invoice.ts';
import type { CreditNoteDocument } from '#domain/invoice/issued-documents.ts';
import type { Registration } from '#shop-schema/tax-schema.ts';
import { paidOrder } from './paid-order.ts';

/* Invoices and credit notes for tests that count and add. */

interface Sale {
  readonly items: Parameters<typeof paidOrder>[0];
  readonly pin?: string;
  readonly discount?: number;
  readonly gstin?: string | null;
  readonly seller?: Registration;
}
export const invoiceOf = ({ items, pin = '682001', discount = 0, gstin, seller }: Sale) =>
  invoiceDocument(
    paidOrder(items, {
      customer_postal_code: pin,
      customer_gstin: gstin,
      amount: (paidOrder(items).amount - discount) / 100,
    }),
    {},
    seller,
  );

export const credit = (
  document: InvoiceDocument,
  earlier: readonly CreditNoteDocument[],
  amountPaise: number,
  items: Record<string, number> = {},
): CreditNoteDocument =>
  creditNoteDocument(
    { number: 'ABC/2026-27/0001', issuedAt: '2026-11-21T08:00:00Z', document },
    earlier,
    { cause: 'refund', amountPaise, reason: 'A scratch', items },
  );
const catalogue = ['a', 'b', 'c'] as const;
/** Sales of rings and watches within the state and to others, to buyers without and with a GSTIN. */
export const invoices = fc.record({
  items: fc.uniqueArray(
    fc.record({
      product_id: fc.constantFrom(...catalogue),
      quantity: fc.integer({ min: 1, max: 9 }),
      price: fc.integer({ min: 100, max: 900_000 }).map((paise) => paise / 100),
      category: fc.constantFrom('rings', 'watches'),
    }),
    { minLength: 1, maxLength: 3, selector: ({ product_id: id }) => id },
  ),
  pin: fc.constantFrom('682001', '110001', ''),
  discount: fc.constantFrom(0, 0, 37),
  gstin: fc.constantFrom(null, null, '27AAPFU0939F1ZV', '32AABCU9603R1ZW'),
});
export const refunds = fc.array(
  fc.record({
    share: fc.double({ min: 0.01, max: 1, noNaN: true }),
    items: fc.dictionary(fc.constantFrom(...catalogue), fc.integer({ min: 1, max: 5 })),
  }),
  { maxLength: 5 },
);

/** The credit notes of refunds one after the other, the last of all that is left when `whole`. */
export function creditAll(
  document: InvoiceDocument,
  list: readonly { share: number; items: Record<string, number> }[],
  whole: boolean,
): CreditNoteDocument[] {
  const notes: CreditNoteDocument[] = [];
  let left = document.totalPaise;
  const add = (amount: number, items: Record<string, number>): void => {
    if (amount < 1) return;
    notes.push(credit(document, notes, amount, items));
    left -= amount;
  };
  for (const { share, items } of list) add(Math.floor(left * share), items);
  if (whole) add(left, {});
  return notes;
}
