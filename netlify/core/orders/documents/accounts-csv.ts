import type { CreditNoteDocument } from '#domain/invoice/issued-documents.ts';
import {
  rateText,
  type InvoiceDocument,
  type InvoiceLine,
} from '#domain/invoice/invoice-document.ts';
import { taxStanding } from '#domain/tax-standing.ts';
import type { Cell } from '#domain/csv.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import { readMonthDocuments, type Month } from './month-documents.ts';

const documentsHead = [
  'Document',
  'Number',
  'Date',
  'For invoice',
  'Order',
  'Reference',
  'Paid on',
  'Payment method',
  'Payment ID',
  'Buyer',
  'Buyer GSTIN',
  'City',
  'PIN code',
  'Place of supply',
  'State code',
  'Item',
  'HSN/SAC',
  'Quantity',
  'GST rate',
  'Taxable value',
  'CGST',
  'SGST',
  'IGST',
  'Amount (incl. GST)',
  'Discount (incl. GST)',
  'Discount code',
];

/** One row for each line of a document; what a credit note takes back is negative. */
function rowsOf(
  name: string,
  number: string,
  issuedAt: string,
  invoiceNumber: string,
  document: InvoiceDocument | CreditNoteDocument,
  sign: 1 | -1,
): Cell[][] {
  const { buyer, order, placeOfSupply } = document;
  const head = [
    name,
    number,
    isoDateInIndia(issuedAt),
    invoiceNumber,
    order.id,
    order.number,
    isoDateInIndia(order.paidAt),
    order.paymentMethod ?? '',
    order.paymentId ?? '',
    buyer.name,
    buyer.gstin ?? '',
    buyer.city,
    buyer.postalCode,
    placeOfSupply?.state ?? 'Not known',
    placeOfSupply?.stateCode ?? '',
  ];
  return document.lines.map((line: InvoiceLine) => [
    ...head,
    line.name,
    line.hsn,
    String(sign * line.quantity),
    rateText(line.rateBps),
    sign * line.taxablePaise,
    sign * line.cgstPaise,
    sign * line.sgstPaise,
    sign * line.igstPaise,
    sign * line.grossPaise,
    // The amount already includes the discount; a credit note's amount is what is refunded.
    line.discountPaise ?? 0,
    order.discountCode ?? '',
  ]);
}

const taxColumns = new Set(['Buyer GSTIN', 'GST rate', 'Taxable value', 'CGST', 'SGST', 'IGST']);

/** A month whose documents are all bills of supply has no columns of tax. */
function withoutTax(rows: Cell[][]): Cell[][] {
  const kept = documentsHead.map((name) => !taxColumns.has(name));
  return rows.map((row, line) =>
    row
      .filter((_, column) => kept[column])
      .map((cell) =>
        line === 0 && typeof cell === 'string' ? cell.replace(' (incl. GST)', '') : cell,
      ),
  );
}

/** The headings, then a row for each line of each document, with amounts in paise. */
export function accountsRows({ invoices, creditNotes }: Month): Cell[][] {
  const rows = [
    documentsHead,
    ...invoices.flatMap(({ number, issuedAt: at, document }) =>
      rowsOf(
        document.untaxed === undefined ? 'Invoice' : 'Bill of supply',
        number,
        at,
        '',
        document,
        1,
      ),
    ),
    ...creditNotes.flatMap(({ number, issuedAt: at, document }) =>
      rowsOf('Credit note', number, at, document.invoice.number, document, -1),
    ),
  ];
  const documents = [...invoices, ...creditNotes].map(({ document }) => document);
  const hasTax =
    documents.length === 0
      ? taxStanding().collectsTax
      : documents.some(({ untaxed }) => untaxed === undefined);
  return hasTax ? rows : withoutTax(rows);
}

/** A month of India's calendar for the accountant, '2026-11': its invoices and credit notes line by line, with amounts in paise. */
export const accountsOf = async (month: string): Promise<Cell[][]> =>
  accountsRows(await readMonthDocuments(month));
