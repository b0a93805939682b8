import * as z from 'zod/mini';
import { isoDateInIndia } from '../../../src/domain/india-month.ts';
import { taxFactsSchema } from '../../../src/domain/invoice/gst.ts';
import {
  addUp,
  invoiceRefundSchema,
  issuedInvoiceSchema,
  rateText,
  refundedOf,
  type InvoiceDocument,
} from '../../../src/domain/invoice/invoice-document.ts';
import { invoiceDocument } from '../../../src/domain/invoice/invoice.ts';
import { orderSchema } from '../../../src/domain/orders/order.ts';
import { tax } from '../../../src/shop.config.ts';
import { callFunction } from '../platform/database.ts';

const entrySchema = z.object({
  order: orderSchema,
  facts: taxFactsSchema,
  invoice: z.nullable(z.omit(issuedInvoiceSchema, { refunds: true })),
  refunds: z.array(invoiceRefundSchema),
});
type Entry = z.infer<typeof entrySchema>;
type Cell = string | number | null;

const documentOf = ({ order, facts, invoice }: Entry): InvoiceDocument => invoice?.document ?? invoiceDocument(order, facts);

/** Rates that the shop's settings name, and any other that an older invoice was written at. */
function ratesOf(documents: readonly InvoiceDocument[]): number[] {
  const known = [...Object.values(tax.byCategory), tax.otherwise, tax.fee].map(({ rateBps }) => rateBps);
  const used = documents.flatMap((document) => document.lines.map(({ rateBps }) => rateBps));
  return [...new Set([...known, ...used])].sort((a, b) => a - b);
}

function headOf(rates: readonly number[]): string[] {
  const byRate = rates.flatMap((rate) => ['Taxable', 'CGST', 'SGST', 'IGST'].map((what) => `${what} ${rateText(rate)}`));
  return [
    ...['Invoice', 'Invoice date', 'Order', 'Reference', 'Paid on', 'Status', 'Buyer', 'City', 'PIN code'],
    ...['Place of supply', 'State code', ...byRate, 'Taxable total', 'CGST total', 'SGST total', 'IGST total'],
    ...['Goods (incl. GST)', 'Platform fee (incl. GST)', 'Total', 'Refunded', 'Kept', 'Last refund on', 'Payment ID'],
  ];
}

/** Whether an order counts in this month: without an invoice it will count in the month that it gets one, or never. */
function statusOf({ order, invoice }: Entry): string {
  const ended = order.delivery.fulfilment === 'cancelled' ? 'Cancelled' : order.refund === 'whole' ? 'Refunded' : '';
  if (invoice === null) return ended === '' ? 'No invoice yet' : `${ended}, no invoice`;
  return ended === '' ? 'Invoiced' : `Invoiced, then ${ended.toLowerCase()}`;
}

function rowOf(entry: Entry, rates: readonly number[]): Cell[] {
  const document = documentOf(entry);
  const { buyer, order, placeOfSupply, lines, totalPaise } = document;
  const amounts = (rate: number): Cell[] => {
    const sum = addUp(lines.filter(({ rateBps }) => rateBps === rate));
    return [sum.taxablePaise, sum.cgstPaise, sum.sgstPaise, sum.igstPaise];
  };
  const sum = addUp(lines);
  const fee = addUp(lines.filter(({ kind }) => kind === 'fee')).grossPaise;
  const refunded = refundedOf(entry.refunds);
  return [
    ...[entry.invoice?.number ?? '', isoDateInIndia(entry.invoice?.issuedAt ?? null), order.id, order.number],
    ...[isoDateInIndia(order.paidAt), statusOf(entry), buyer.name, buyer.city, buyer.postalCode],
    ...[placeOfSupply?.state ?? 'Not known', placeOfSupply?.stateCode ?? ''],
    ...rates.flatMap(amounts),
    ...[sum.taxablePaise, sum.cgstPaise, sum.sgstPaise, sum.igstPaise],
    ...[sum.grossPaise - fee, fee, totalPaise, refunded, totalPaise - refunded],
    ...[isoDateInIndia(entry.refunds.at(-1)?.at ?? null), order.paymentId ?? ''],
  ];
}

/**
 * A month of India's calendar for the accountant, '2026-11': every invoice issued in it in order of numbers, then the
 * orders paid in it that have none.
 */
export async function accountsOf(month: string): Promise<Cell[][]> {
  const entries = await callFunction('month_accounts', { p_month: `${month}-01` }, z.array(entrySchema));
  const rates = ratesOf(entries.map(documentOf));
  return [headOf(rates), ...entries.map((entry) => rowOf(entry, rates))];
}
