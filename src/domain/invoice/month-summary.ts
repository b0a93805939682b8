import type { CreditNoteDocument } from './issued-documents.ts';
import { addUp, type Amounts, type InvoiceDocument, type InvoiceLine } from './invoice-document.ts';

/** The documents issued in a month. */
export interface MonthDocuments {
  invoices: readonly InvoiceDocument[];
  creditNotes: readonly CreditNoteDocument[];
}

interface SignedLine {
  document: InvoiceDocument;
  line: InvoiceLine;
}

const negated = (line: InvoiceLine): InvoiceLine => ({
  ...line,
  quantity: -line.quantity,
  grossPaise: -line.grossPaise,
  taxablePaise: -line.taxablePaise,
  cgstPaise: -line.cgstPaise,
  sgstPaise: -line.sgstPaise,
  igstPaise: -line.igstPaise,
});

/** All lines of a month; those of credit notes are negative. */
const signedLines = ({ invoices, creditNotes }: MonthDocuments): SignedLine[] => [
  ...invoices.flatMap((document) => document.lines.map((line) => ({ document, line }))),
  ...creditNotes.flatMap((document) =>
    document.lines.map((line) => ({ document, line: negated(line) })),
  ),
];

/** Lines with the same key, in order of the keys. */
function grouped(
  lines: readonly SignedLine[],
  keyOf: (line: SignedLine) => string,
): [SignedLine, ...SignedLine[]][] {
  const groups = new Map<string, [SignedLine, ...SignedLine[]]>();
  for (const line of lines) {
    const key = keyOf(line);
    const group = groups.get(key);
    if (group) group.push(line);
    else groups.set(key, [line]);
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

const rateKey = (bps: number): string => String(bps).padStart(6, '0');
const sumOf = (group: readonly SignedLine[]): Amounts => addUp(group.map(({ line }) => line));

interface HsnRow {
  hsn: string;
  kind: InvoiceLine['kind'];
  rateBps: number;
  quantity: number;
  sum: Amounts;
}

/** A month by HSN and rate. Charges and discounts that are no product of their own count no quantity. */
export function hsnSummary(month: MonthDocuments): HsnRow[] {
  const keyOf = ({ line }: SignedLine): string =>
    `${line.hsn} ${line.kind === 'fee' ? 'services' : 'goods'} ${rateKey(line.rateBps)}`;
  const rows = grouped(signedLines(month), keyOf).map((group) => {
    const [{ line }] = group;
    const goods = group.filter((entry) => entry.line.kind === 'goods');
    return {
      hsn: line.hsn,
      kind: line.kind,
      rateBps: line.rateBps,
      quantity: goods.reduce((sum, entry) => sum + entry.line.quantity, 0),
      sum: sumOf(group),
    };
  });
  // Goods that were sold and came back in the same month are no supply.
  return rows.filter(
    ({ quantity, sum }) => quantity !== 0 || Object.values(sum).some((amount) => amount !== 0),
  );
}

interface StateRow {
  /** To buyers with a GSTIN, which GSTR-1 wants apart from the others. */
  registered: boolean;
  state: string;
  stateCode: string;
  rateBps: number;
  sum: Amounts;
}

/** A month's sales by place of supply and rate: to buyers without a GSTIN, then to those with one. */
export function salesByState(month: MonthDocuments): StateRow[] {
  const isRegistered = ({ document }: SignedLine): boolean => document.buyer.gstin !== null;
  const keyOf = (entry: SignedLine): string =>
    `${isRegistered(entry) ? '1' : '0'} ${entry.document.placeOfSupply?.stateCode ?? '99'} ${rateKey(entry.line.rateBps)}`;
  return grouped(signedLines(month), keyOf).map((group) => {
    const [first] = group;
    const { document, line } = first;
    return {
      registered: isRegistered(first),
      state: document.placeOfSupply?.state ?? 'Not known',
      stateCode: document.placeOfSupply?.stateCode ?? '',
      rateBps: line.rateBps,
      sum: sumOf(group),
    };
  });
}
