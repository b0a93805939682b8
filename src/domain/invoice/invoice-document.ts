import * as z from 'zod/mini';
import { untaxedKinds } from '#domain/tax-standing.ts';

const paise = z.int();

export const invoiceLineSchema = z.object({
  kind: z.enum(['goods', 'adjustment', 'fee']),
  productId: z.nullable(z.string()),
  /** What goes back of a charge with a part of the goods: its share, or nothing before the rest of the order. A fee of before 1.4.0 gives its share. */
  refund: z.optional(z.enum(['share', 'last'])),
  /** Set for a product with sizes; `name` includes it. */
  size: z.optional(z.string()),
  name: z.string(),
  /** HSN of goods, SAC of services. */
  hsn: z.string(),
  quantity: z.int(),
  /** The price of one unit, GST included, before a discount. */
  pricePaise: paise,
  /** The line's part of the order's discount; none on documents without one. */
  discountPaise: z.optional(paise),
  /** The amount of the line, GST included: the taxable amount and all tax add up to it. */
  grossPaise: paise,
  rateBps: z.int(),
  taxablePaise: paise,
  cgstPaise: paise,
  sgstPaise: paise,
  igstPaise: paise,
});
export type InvoiceLine = z.infer<typeof invoiceLineSchema>;

/** An invoice as it was issued, stored and never changed. Number and date are given by the database. */
export const invoiceDocumentSchema = z.object({
  version: z.literal(1),
  seller: z.object({
    name: z.string(),
    legalName: z.string(),
    proprietor: z.string(),
    address: z.array(z.string()),
    /** '' for a seller without one. */
    gstin: z.string(),
    state: z.string(),
    stateCode: z.string(),
    email: z.string(),
    phone: z.string(),
  }),
  buyer: z.object({
    name: z.string(),
    address: z.string(),
    city: z.string(),
    postalCode: z.string(),
    phone: z.string(),
    email: z.string(),
    /** The customer's own, for an invoice from business to business. */
    gstin: z.nullable(z.string()),
  }),
  order: z.object({
    id: z.string(),
    /** The order's reference, under the name that issued documents have. */
    number: z.string(),
    placedAt: z.string(),
    paidAt: z.nullable(z.string()),
    paymentId: z.nullable(z.string()),
    paymentMethod: z.nullable(z.string()),
    discountCode: z.optional(z.string()),
    /** What was still to be paid at the door when the invoice was written; none on any other. */
    cashDuePaise: z.optional(paise),
  }),
  /** Null when the PIN code names no state. */
  placeOfSupply: z.nullable(z.object({ state: z.string(), stateCode: z.string() })),
  /** IGST instead of CGST and SGST. */
  interstate: z.boolean(),
  lines: z.array(invoiceLineSchema),
  totalPaise: paise,
  /** Set on a bill of supply: the seller's registration when it was issued. Its lines have no tax: their rate is 0. */
  untaxed: z.optional(z.enum(untaxedKinds)),
});
export type InvoiceDocument = z.infer<typeof invoiceDocumentSchema>;

/** Amounts of one line or of many, in paise. */
export type Amounts = Pick<
  InvoiceLine,
  'grossPaise' | 'taxablePaise' | 'cgstPaise' | 'sgstPaise' | 'igstPaise'
>;

const noAmounts: Amounts = {
  grossPaise: 0,
  taxablePaise: 0,
  cgstPaise: 0,
  sgstPaise: 0,
  igstPaise: 0,
};

/** The lines' amounts, added up. */
export function addUp(lines: readonly Amounts[]): Amounts {
  return lines.reduce(
    (sum, line) => ({
      grossPaise: sum.grossPaise + line.grossPaise,
      taxablePaise: sum.taxablePaise + line.taxablePaise,
      cgstPaise: sum.cgstPaise + line.cgstPaise,
      sgstPaise: sum.sgstPaise + line.sgstPaise,
      igstPaise: sum.igstPaise + line.igstPaise,
    }),
    noAmounts,
  );
}

/** Amounts by rate, lowest first. */
export function amountsByRate(lines: readonly InvoiceLine[]): (Amounts & { rateBps: number })[] {
  const rates = [...new Set(lines.map(({ rateBps }) => rateBps))].sort((a, b) => a - b);
  return rates.map((rateBps) => ({
    rateBps,
    ...addUp(lines.filter((line) => line.rateBps === rateBps)),
  }));
}

/** 300 → '3%', 150 → '1.5%'. */
export const rateText = (bps: number): string => `${String(bps / 100)}%`;
