import * as z from 'zod/mini';
import { entryOfHsn } from '../../../../src/domain/invoice/gst.ts';
import {
  issuedCreditNoteSchema,
  plainInvoiceSchema,
  type CreditNoteDocument,
} from '../../../../src/domain/invoice/issued-documents.ts';
import {
  hsnSummary,
  salesByState,
  type MonthDocuments,
} from '../../../../src/domain/invoice/month-summary.ts';
import {
  rateText,
  type InvoiceDocument,
  type InvoiceLine,
} from '../../../../src/domain/invoice/invoice-document.ts';
import { taxStanding } from '../../../../src/domain/tax-standing.ts';
import type { Cell } from '../../../../src/domain/csv.ts';
import { isoDateInIndia } from '../../../../src/domain/india-month.ts';
import { tax } from '../../../../src/settings/tax.ts';
import { callFunction } from '../../platform/database.ts';
import { issueCreditNotes } from './credit-notes.ts';

const monthSchema = z.object({
  invoices: z.array(plainInvoiceSchema),
  creditNotes: z.array(issuedCreditNoteSchema),
});
type Month = z.infer<typeof monthSchema>;

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

function documentRows({ invoices, creditNotes }: Month): Cell[][] {
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

const plain = ({ invoices, creditNotes }: Month): MonthDocuments => ({
  invoices: invoices.map(({ document }) => document),
  creditNotes: creditNotes.map(({ document }) => document),
});

/** GSTR-1, table 12: outward supplies by HSN, credit notes taken off. */
const hsnRows = (month: Month): Cell[][] => [
  [
    'HSN/SAC',
    'Description',
    'UQC',
    'Total quantity',
    'GST rate',
    'Taxable value',
    'CGST',
    'SGST',
    'IGST',
    'Total value',
  ],
  ...hsnSummary(plain(month)).map(({ hsn, kind, quantity, rateBps, sum }) => [
    hsn,
    entryOfHsn<string>(tax.hsnNames, hsn) ?? (kind === 'fee' ? 'Services' : 'Goods'),
    kind === 'fee' ? 'NA' : 'NOS',
    String(kind === 'fee' ? 0 : quantity),
    rateText(rateBps),
    sum.taxablePaise,
    sum.cgstPaise,
    sum.sgstPaise,
    sum.igstPaise,
    sum.grossPaise,
  ]),
];

/**
 * Sales by place of supply and rate, credit notes taken off. Those to buyers without a GSTIN are table 7 of GSTR-1; those with one stand
 * there invoice by invoice, in table 4, and are here so that this list has the sums of the others.
 */
const stateRows = (month: Month): Cell[][] => [
  [
    'Buyers',
    'Place of supply',
    'State code',
    'GST rate',
    'Taxable value',
    'CGST',
    'SGST',
    'IGST',
    'Total value',
  ],
  ...salesByState(plain(month)).map(({ registered, state, stateCode, rateBps, sum }) => [
    registered ? 'With GSTIN' : 'Without GSTIN',
    state,
    stateCode,
    rateText(rateBps),
    sum.taxablePaise,
    sum.cgstPaise,
    sum.sgstPaise,
    sum.igstPaise,
    sum.grossPaise,
  ]),
];

const lists = { documents: documentRows, hsn: hsnRows, states: stateRows } as const;

/** One of the lists of a month's documents: the headings, then the rows, with amounts in paise. */
export const accountsRows = (month: Month, list: AccountsList): Cell[][] => lists[list](month);

export const accountsListSchema = z.enum(['documents', 'hsn', 'states']);
type AccountsList = z.infer<typeof accountsListSchema>;

/**
 * A month of India's calendar for the accountant, '2026-11': its invoices and credit notes line by line, each once, in the
 * month of its own date; or their sums by HSN, or by state.
 */
export async function accountsOf(month: string, list: AccountsList): Promise<Cell[][]> {
  await issueCreditNotes();
  return accountsRows(
    await callFunction('month_documents', { p_month: `${month}-01` }, monthSchema),
    list,
  );
}
