import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountsRows } from '../../../netlify/core/orders/documents/accounts-csv.ts';
import type { Cell } from '../../../src/domain/csv.ts';
import { creditNoteDocument } from '../../../src/domain/invoice/credit-note.ts';
import {
  creditNoteSchema,
  type CreditNoteDocument,
} from '../../../src/domain/invoice/issued-documents.ts';
import { addUp, type InvoiceDocument } from '../../../src/domain/invoice/invoice-document.ts';
import { invoiceDocument } from '../../../src/domain/invoice/invoice.ts';
import { hsnSummary } from '../../../src/domain/invoice/month-summary.ts';
import { paidOrder } from './paid-order.ts';
import { times } from '../../soak.ts';
import type { Registration } from '../../../src/shop-schema/tax-schema.ts';
import { useSampleTax } from '../../sample-tax.ts';

useSampleTax();

const ring = { product_id: 'ring', name: 'ring', quantity: 2, price: 1_030, category: 'rings' };
const watch = {
  product_id: 'watch',
  name: 'watch',
  quantity: 1,
  price: 1_180,
  category: 'watches',
};

interface Sale {
  readonly items: Parameters<typeof paidOrder>[0];
  readonly pin?: string;
  readonly discount?: number;
  readonly gstin?: string | null;
  readonly seller?: Registration;
}
const invoiceOf = ({ items, pin = '682001', discount = 0, gstin, seller }: Sale) =>
  invoiceDocument(
    paidOrder(items, {
      customer_postal_code: pin,
      customer_gstin: gstin,
      amount: (paidOrder(items).amount - discount) / 100,
    }),
    {},
    seller,
  );

const credit = (
  document: InvoiceDocument,
  earlier: readonly CreditNoteDocument[],
  amountPaise: number,
  items: Record<string, number> = {},
): CreditNoteDocument =>
  creditNoteDocument(
    { number: 'ABC/2026-27/0001', issuedAt: '2026-11-21T08:00:00Z', document },
    earlier,
    { amountPaise, reason: 'A scratch', items },
  );
const shown = ({ lines }: CreditNoteDocument): unknown[] =>
  lines.map(({ name, quantity, grossPaise }) => [name, quantity, grossPaise]);

describe('a credit note', () => {
  const document = invoiceOf({ items: [ring, watch] });

  test('takes back the named items at their price, with their tax', () => {
    const note = credit(document, [], 103_000, { ring: 1 });
    expect(shown(note)).toEqual([['ring', 1, 103_000]]);
    expect(note.lines[0]).toMatchObject({
      hsn: '7117',
      rateBps: 300,
      taxablePaise: 100_000,
      cgstPaise: 1_500,
      sgstPaise: 1_500,
      igstPaise: 0,
    });
    expect(note).toMatchObject({
      totalPaise: 103_000,
      invoice: { number: 'ABC/2026-27/0001' },
      reason: 'A scratch',
    });
  });

  test('puts what is more than the items’ price on the fee, and without items takes from every line in proportion', () => {
    expect(shown(credit(document, [], 105_431, { ring: 1 }))).toEqual([
      ['ring', 1, 103_000],
      ['Platform fee', 0, 2_431],
    ]);
    expect(shown(credit(document, [], 33_165))).toEqual([
      ['ring', 0, 20_600],
      ['watch', 0, 11_800],
      ['Platform fee', 0, 765],
    ]);
  });
});

const catalogue = ['a', 'b', 'c'] as const;
const invoices = fc.record({
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
const sellers = fc.constantFrom<Registration[]>(
  { kind: 'regular', gstin: '32AABCU9603R1ZW' },
  { kind: 'composition', gstin: '32AABCU9603R1ZW' },
  { kind: 'unregistered', sendsToOtherStates: true },
);
const refunds = fc.array(
  fc.record({
    share: fc.double({ min: 0.01, max: 1, noNaN: true }),
    items: fc.dictionary(fc.constantFrom(...catalogue), fc.integer({ min: 1, max: 5 })),
  }),
  { maxLength: 5 },
);

/** The credit notes of refunds one after the other, the last of all that is left when `whole`. */
function creditAll(
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

test('the credit notes of any refunds are the refunds, line by line never more than the invoice, and those of all of it are the invoice, also of a seller who charges no tax', () => {
  fc.assert(
    fc.property(invoices, sellers, refunds, fc.boolean(), (sale, seller, list, whole) => {
      const document = invoiceOf({ ...sale, seller });
      const sold = addUp(document.lines);
      if (seller.kind !== 'regular') expect(sold.taxablePaise).toBe(sold.grossPaise);
      const notes = creditAll(document, list, whole);
      for (const note of notes) {
        const sum = addUp(note.lines);
        expect(sum.grossPaise).toBe(note.totalPaise);
        expect(note.untaxed).toBe(document.untaxed);
        expect(sum.taxablePaise + sum.cgstPaise + sum.sgstPaise + sum.igstPaise).toBe(
          sum.grossPaise,
        );
        expect(creditNoteSchema.parse(JSON.parse(JSON.stringify(note)))).toEqual(note);
      }
      for (const [index, line] of document.lines.entries()) {
        const credited = addUp(
          notes.flatMap(({ lines }) => lines.filter((credit) => credit.index === index)),
        );
        const sign = Math.sign(line.grossPaise);
        expect(sign * credited.grossPaise).toBeGreaterThanOrEqual(0);
        expect(sign * credited.grossPaise).toBeLessThanOrEqual(sign * line.grossPaise);
        const quantity = notes
          .flatMap(({ lines }) => lines)
          .filter((credit) => credit.index === index)
          .reduce((sum, credit) => sum + credit.quantity, 0);
        expect(quantity).toBeLessThanOrEqual(line.quantity);
        if (whole) {
          expect(credited).toEqual(addUp([line]));
          expect(quantity).toBe(line.quantity);
        }
      }
    }),
    { numRuns: times(300, 5_000) },
  );
});

/** The sums of a list's columns of amounts, in paise. */
function columnSums([head = [], ...rows]: readonly (readonly Cell[])[]): number[] {
  return ['Taxable value', 'CGST', 'SGST', 'IGST', '(?:Amount|Total value).*'].map((name) => {
    const at = head.findIndex((cell) => new RegExp(`^${name}$`, 'u').test(String(cell)));
    expect(at, name).toBeGreaterThan(-1);
    return rows.reduce((sum, row) => sum + Number(row[at]), 0);
  });
}

test('the accountant’s three lists of any month have the same sums, which are those of its documents', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(invoices, refunds, fc.boolean()), { maxLength: 6 }), (orders) => {
      const documents = orders.map(([sale]) => invoiceOf(sale));
      const creditNotes = orders.flatMap(([, list, whole], index) => {
        const document = documents[index];
        return document ? creditAll(document, list, whole) : [];
      });
      const numbered = <Document>(list: readonly Document[]) =>
        list.map((document) => ({ number: '1', issuedAt: '2026-11-21T08:00:00Z', document }));
      const month = { invoices: numbered(documents), creditNotes: numbered(creditNotes) };
      const sold = addUp(documents.flatMap(({ lines }) => lines));
      const credited = addUp(creditNotes.flatMap(({ lines }) => lines));
      // A line that came back whole stands in no row of zeros.
      for (const { quantity, sum } of hsnSummary({ invoices: documents, creditNotes }))
        expect([quantity, ...Object.values(sum)].some((figure) => figure !== 0)).toBe(true);
      for (const list of ['documents', 'hsn', 'states'] as const)
        expect(columnSums(accountsRows(month, list)), list).toEqual([
          sold.taxablePaise - credited.taxablePaise,
          sold.cgstPaise - credited.cgstPaise,
          sold.sgstPaise - credited.sgstPaise,
          sold.igstPaise - credited.igstPaise,
          sold.grossPaise - credited.grossPaise,
        ]);
    }),
    { numRuns: times(100, 1_000) },
  );
});
