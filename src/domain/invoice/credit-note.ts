import type * as z from 'zod/mini';
import { lineKey } from '#domain/catalogue/sizes.ts';
import type { Paise } from '#domain/money.ts';
import { partOf, splitTax } from './gst.ts';
import type { InvoiceDocument, InvoiceLine } from './invoice-document.ts';
import type { CreditLine, CreditNoteDocument, plainInvoiceSchema } from './issued-documents.ts';

/** What a credit note is for: `items` has the quantities of the order's lines, by `lineKey`. */
interface Credited {
  /**
   * `refused`: the order was cancelled, and no refund gives this amount back, because its cash never came or a bank gave it back.
   * `reason` is then the database's word for why.
   */
  cause: 'refund' | 'refused';
  amountPaise: Paise;
  reason: string | null;
  items: Readonly<Record<string, number>>;
}

const unpaidReasons: Readonly<Record<string, string>> = {
  refused: 'Not accepted at the door',
  lost: 'Cancelled, and returned by the buyer’s bank',
};
const unpaidReason = (reason: string | null): string =>
  unpaidReasons[reason ?? ''] ?? 'Cancelled before it was paid';

/** The rest of an invoice's line after earlier credit notes, and the part of it that this one takes. */
interface Share {
  line: InvoiceLine;
  grossLeft: Paise;
  quantityLeft: number;
  gross: Paise;
  quantity: number;
}

function sharesOf({ lines }: InvoiceDocument, earlier: readonly CreditNoteDocument[]): Share[] {
  const credited = earlier.flatMap((note) => note.lines);
  return lines.map((line, index) => {
    const before = credited.filter((credit) => credit.index === index);
    return {
      line,
      grossLeft: line.grossPaise - before.reduce((sum, { grossPaise }) => sum + grossPaise, 0),
      quantityLeft: line.quantity - before.reduce((sum, { quantity }) => sum + quantity, 0),
      gross: 0,
      quantity: 0,
    };
  });
}

/** Gives the named goods what they were sold for, the first lines first. Returns what is left of the amount. */
function takeNamed(shares: readonly Share[], items: Credited['items'], amount: Paise): Paise {
  const wanted = new Map(Object.entries(items));
  let left = amount;
  for (const share of shares) {
    const { line } = share;
    const key = lineKey(line.productId ?? '', line.size);
    const requested = wanted.get(key) ?? 0;
    const quantity = Math.min(requested, share.quantityLeft);
    if (quantity === 0) continue;
    wanted.set(key, requested - quantity);
    share.quantity = quantity;
    // A part of a discounted line has its part of the discount, rounded over all units so far, so that the parts add up.
    const soldFor = (units: number): Paise => partOf(line.grossPaise, units, line.quantity);
    const before = line.quantity - share.quantityLeft;
    share.gross = Math.min(left, soldFor(before + quantity) - soldFor(before), share.grossLeft);
    left -= share.gross;
  }
  return left;
}

/**
 * Spreads an amount over lines in proportion to what is left of them, to the paisa: each line ends at the rounded
 * running total, so no line takes more than is left of it.
 */
function spread(shares: readonly Share[], amount: Paise): void {
  const total = shares.reduce((sum, { grossLeft, gross }) => sum + grossLeft - gross, 0);
  let running = 0;
  let given = 0;
  for (const share of shares) {
    running += share.grossLeft - share.gross;
    const upTo = total === 0 ? 0 : Math.round((amount * running) / total);
    share.gross += upTo - given;
    given = upTo;
  }
}

const givesShare = ({ kind, refund }: InvoiceLine): boolean =>
  refund === undefined ? kind === 'fee' : refund === 'share';

/**
 * The lines that a refund takes back: the named products at their price, then the charges that go back by their share, then every line in proportion to
 * what is left of it. A refund of all that is left takes every line whole. Tax is the difference of the line's tax before
 * and after, so that the credit notes of a whole invoice add up to it, tax included.
 */
function creditLines(
  document: InvoiceDocument,
  earlier: readonly CreditNoteDocument[],
  refund: Credited,
): CreditLine[] {
  const shares = sharesOf(document, earlier);
  const open = shares.reduce((sum, { grossLeft }) => sum + grossLeft, 0);
  const amount = Math.min(refund.amountPaise, open);
  if (amount < open) {
    const rest = takeNamed(shares, refund.items, amount);
    const sharing = rest < amount ? shares.filter(({ line }) => givesShare(line)) : [];
    const ofSharing = Math.min(
      rest,
      sharing.reduce((sum, { grossLeft }) => sum + grossLeft, 0),
    );
    spread(sharing, ofSharing);
    spread(shares, rest - ofSharing);
  } else {
    for (const share of shares)
      Object.assign(share, { gross: share.grossLeft, quantity: share.quantityLeft });
  }
  return shares.flatMap(({ line, grossLeft, quantityLeft, gross, quantity }, index) => {
    if (gross === 0 && quantity === 0) return [];
    const creditedBefore = line.grossPaise - grossLeft;
    const from = splitTax(creditedBefore, line.rateBps, document.interstate);
    const to = splitTax(creditedBefore + gross, line.rateBps, document.interstate);
    return [
      {
        ...line,
        discountPaise: undefined,
        index,
        quantity: gross === grossLeft ? quantityLeft : quantity,
        grossPaise: gross,
        taxablePaise: to.taxablePaise - from.taxablePaise,
        cgstPaise: to.cgstPaise - from.cgstPaise,
        sgstPaise: to.sgstPaise - from.sgstPaise,
        igstPaise: to.igstPaise - from.igstPaise,
      },
    ];
  });
}

/**
 * The credit note of a refund made after its invoice (CGST Act, section 34). `earlier` are the invoice's credit notes so
 * far; together they never exceed it.
 */
export function creditNoteDocument(
  invoice: z.infer<typeof plainInvoiceSchema>,
  earlier: readonly CreditNoteDocument[],
  refund: Credited,
): CreditNoteDocument {
  const lines = creditLines(invoice.document, earlier, refund);
  return {
    ...invoice.document,
    invoice: { number: invoice.number, issuedAt: invoice.issuedAt },
    reason: refund.cause === 'refused' ? unpaidReason(refund.reason) : refund.reason,
    ...(refund.cause === 'refused' && { cause: refund.cause }),
    ...(refund.cause === 'refused' && refund.reason === 'lost' && { isLost: true }),
    lines,
    totalPaise: lines.reduce((sum, { grossPaise }) => sum + grossPaise, 0),
  };
}
