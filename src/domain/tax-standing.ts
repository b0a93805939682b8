import type { Registration } from '#shop-schema/tax-schema.ts';
import { tax } from '#settings/tax.ts';

/** What follows from the seller's registration; every page, form and document asks here. */
export interface TaxStanding {
  /** Issues tax invoices. Otherwise no price, fee or document has GST in it, and a customer's GSTIN is of no use. */
  collectsTax: boolean;
  /** Null when there is none to print. */
  gstin: string | null;
  sendsToOtherStates: boolean;
}

/** The seller's standing now; a document that is issued keeps its own (`invoiceDocument`). */
export function taxStanding(registration: Registration = tax.registration): TaxStanding {
  const { kind } = registration;
  return {
    collectsTax: kind === 'regular',
    gstin: kind === 'unregistered' ? null : registration.gstin,
    sendsToOtherStates:
      kind === 'unregistered' ? registration.sendsToOtherStates : kind === 'regular',
  };
}

/** ' (incl. GST)' behind an amount, from a seller who collects it. */
export const inclGst = (registration?: Registration): string =>
  taxStanding(registration).collectsTax ? ' (incl. GST)' : '';

/** The label of the fee in every sum (spec section 3). */
export const feeLabel = (registration?: Registration): string =>
  `Platform Fee${inclGst(registration)}`;

/** The kinds of documents without tax, as they are stored; a tax invoice has none. */
export const untaxedKinds = ['composition', 'unregistered'] as const;

/** What is printed of an issued document's kind. */
export function documentWords(untaxed: (typeof untaxedKinds)[number] | undefined): {
  /** The title; 'bill of supply' within a sentence. */
  title: string;
  name: string;
  /** What the law has printed at the top (CGST Rules, rule 5); null for nothing. */
  declaration: string | null;
} {
  if (untaxed === undefined) return { title: 'Tax invoice', name: 'invoice', declaration: null };
  return {
    title: 'Bill of supply',
    name: 'bill of supply',
    declaration:
      untaxed === 'composition'
        ? 'Composition taxable person, not eligible to collect tax on supplies'
        : null,
  };
}
