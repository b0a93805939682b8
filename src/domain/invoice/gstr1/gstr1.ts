import type * as z from 'zod/mini';
import type { Paise } from '#domain/money.ts';
import {
  addUp,
  amountsByRate,
  type Amounts,
  type InvoiceDocument,
  type InvoiceLine,
} from '#domain/invoice/invoice-document.ts';
import type { IssuedCreditNote, plainInvoiceSchema } from '#domain/invoice/issued-documents.ts';

type IssuedInvoice = z.infer<typeof plainInvoiceSchema>;

/** What GSTR-1 is made from: all documents of a month, in order of their numbers. */
export interface ReturnMonth {
  invoices: readonly IssuedInvoice[];
  /** Each with the total of its invoice, in paise, which may be of an earlier month. */
  creditNotes: readonly (IssuedCreditNote & { invoiceTotalPaise: Paise })[];
}

/** The amounts of one rate, in paise. */
export type RateSum = Amounts & { rateBps: number };

/** A document that is listed by itself, with its taxed amounts by rate. Those of a credit note are positive. */
export interface ListedDocument {
  number: string;
  issuedAt: string;
  document: InvoiceDocument;
  rates: readonly RateSum[];
}

/** A sum over documents; what credit notes take back is taken off, so it may be negative. */
export interface GroupSum extends RateSum {
  /** The first of the lines in it, for what they have in common. */
  document: InvoiceDocument;
  line: InvoiceLine;
  /** Products only: other charges, discounts and services have none. */
  quantity: number;
}

/** Numbers without a gap between them. */
export interface NumberRange {
  kind: 'invoice' | 'creditNote';
  from: string;
  to: string;
  count: number;
}

/** The tables of GSTR-1, under the names that the return has for them. */
export interface Gstr1 {
  /** Table 4: invoices to buyers with a GSTIN. */
  b2b: readonly ListedDocument[];
  /** Table 5: invoices above `largePaise` to another state, to buyers without one. */
  b2cl: readonly ListedDocument[];
  /** Table 7: all other sales to buyers without one, by place of supply and rate. */
  b2cs: readonly GroupSum[];
  /** Table 9B: credit notes for invoices of table 4, and for those of table 5. */
  cdnr: readonly ListedDocument[];
  cdnur: readonly ListedDocument[];
  /** Table 8: goods at 0 %, which the tables above leave out. */
  exempt: readonly GroupSum[];
  /** Table 12 by HSN and rate, in two since the period May 2025: to buyers with a GSTIN, and to the others. */
  hsnB2b: readonly GroupSum[];
  hsnB2c: readonly GroupSum[];
  /** Table 13. */
  documents: readonly NumberRange[];
}

/**
 * Above ₹1,00,000 an invoice to another state is listed in table 5: notification 12/2024 – Central Tax, since 1 August 2024
 * (docs/provider-facts.md, "GST returns").
 */
const largePaise: Paise = 10_000_000;

export const hasGstin = ({ buyer }: InvoiceDocument): boolean => buyer.gstin !== null;

/** Whether the invoice's total decides where the document is listed: it went to another state, to a buyer without GSTIN. */
export const isDecidedByTotal = (document: InvoiceDocument): boolean =>
  document.interstate && !hasGstin(document);

/**
 * The place of supply. Where the PIN code names no state, the invoice has IGST, and the return needs a code: 97 is "Other Territory".
 */
export const placeOf = ({
  placeOfSupply,
}: InvoiceDocument): NonNullable<InvoiceDocument['placeOfSupply']> =>
  placeOfSupply ?? { state: 'Other Territory', stateCode: '97' };

/** A Services Accounting Code, which has no unit. */
export const isService = ({ line }: GroupSum): boolean => line.hsn.startsWith('99');

/** A document and the table that it is listed or summed in. */
interface Entry extends IssuedInvoice {
  table: 'b2b' | 'b2cl' | 'b2cs' | 'cdnr' | 'cdnur';
  sign: 1 | -1;
}

function entryOf(issued: IssuedInvoice, invoiceTotalPaise: Paise, sign: 1 | -1): Entry {
  const { number, issuedAt, document } = issued;
  const isLarge = isDecidedByTotal(document) && invoiceTotalPaise > largePaise;
  const unregistered = isLarge ? (['b2cl', 'cdnur'] as const) : (['b2cs', 'b2cs'] as const);
  const [ofInvoice, ofNote] = hasGstin(document) ? (['b2b', 'cdnr'] as const) : unregistered;
  return { number, issuedAt, document, sign, table: sign === 1 ? ofInvoice : ofNote };
}

/** Lines that cost nothing are no supply. */
const listed = ({ number, issuedAt, document }: Entry): ListedDocument[] => {
  const taxed = document.lines.filter(({ rateBps, grossPaise }) => rateBps > 0 && grossPaise !== 0);
  if (taxed.length === 0) return [];
  return [{ number, issuedAt, document, rates: amountsByRate(taxed) }];
};

interface SignedLine {
  document: InvoiceDocument;
  line: InvoiceLine;
}

/** A document's lines; those of a credit note are negative. */
const signedLines = ({ document, sign }: Entry): SignedLine[] =>
  document.lines.map((line) => ({
    document,
    line: {
      ...line,
      quantity: sign * line.quantity,
      grossPaise: sign * line.grossPaise,
      taxablePaise: sign * line.taxablePaise,
      cgstPaise: sign * line.cgstPaise,
      sgstPaise: sign * line.sgstPaise,
      igstPaise: sign * line.igstPaise,
    },
  }));

const rateKey = ({ line }: SignedLine): string => String(line.rateBps).padStart(6, '0');

/** Lines with the same key, summed, in order of the keys. Goods that came back in the same month are no supply: no row of zeros. */
const sums = (
  lines: readonly SignedLine[],
  keyOf: (entry: SignedLine) => string,
): readonly GroupSum[] =>
  [...Map.groupBy(lines, keyOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => {
      const [first] = group;
      if (!first) return [];
      const goods = group.filter(({ line }) => line.kind === 'goods' && !line.hsn.startsWith('99'));
      const quantity = goods.reduce((units, { line }) => units + line.quantity, 0);
      const amounts = addUp(group.map(({ line }) => line));
      if ([quantity, ...Object.values(amounts)].every((figure) => figure === 0)) return [];
      return [{ ...first, rateBps: first.line.rateBps, quantity, ...amounts }];
    });

const hsnSums = (lines: readonly SignedLine[]): readonly GroupSum[] =>
  sums(lines, (entry) => `${entry.line.hsn} ${rateKey(entry)}`);

/** Ranges of numbers. A new prefix, or a number left out after a backup was restored, begins another one. */
function rangesOf(kind: NumberRange['kind'], entries: readonly Entry[]): NumberRange[] {
  const ranges: NumberRange[] = [];
  let expected = '';
  for (const { number } of entries) {
    const [prefix = '', serial = ''] = number.split(/(\d+)$/u);
    const range = ranges.at(-1);
    if (range && expected === `${prefix}${String(Number(serial))}`) {
      range.to = number;
      range.count += 1;
    } else ranges.push({ kind, from: number, to: number, count: 1 });
    expected = `${prefix}${String(Number(serial) + 1)}`;
  }
  return ranges;
}

/**
 * The tables of GSTR-1 for a month. Bills of supply are not in it: who issues them files no GSTR-1. A document of nothing, as that of
 * a free replacement, is counted in table 13 alone.
 */
export function gstr1Of(month: ReturnMonth): Gstr1 {
  const isTaxed = ({ document }: IssuedInvoice): boolean => document.untaxed === undefined;
  const invoices = month.invoices
    .filter(isTaxed)
    .map((invoice) => entryOf(invoice, invoice.document.totalPaise, 1));
  const creditNotes = month.creditNotes
    .filter(isTaxed)
    .map((note) => entryOf(note, note.invoiceTotalPaise, -1));
  const charged = [...invoices, ...creditNotes].filter(({ document }) => document.totalPaise !== 0);
  const of = (table: Entry['table']): Entry[] => charged.filter((entry) => entry.table === table);
  const lines = charged.flatMap(signedLines);
  return {
    b2b: of('b2b').flatMap(listed),
    b2cl: of('b2cl').flatMap(listed),
    b2cs: sums(
      of('b2cs')
        .flatMap(signedLines)
        .filter(({ line }) => line.rateBps > 0),
      (entry) => `${placeOf(entry.document).stateCode} ${rateKey(entry)}`,
    ),
    cdnr: of('cdnr').flatMap(listed),
    cdnur: of('cdnur').flatMap(listed),
    exempt: sums(
      lines.filter(({ line }) => line.rateBps === 0),
      ({ document }) => `${String(document.interstate)} ${String(hasGstin(document))}`,
    ),
    hsnB2b: hsnSums(lines.filter(({ document }) => hasGstin(document))),
    hsnB2c: hsnSums(lines.filter(({ document }) => !hasGstin(document))),
    documents: [...rangesOf('invoice', invoices), ...rangesOf('creditNote', creditNotes)],
  };
}
