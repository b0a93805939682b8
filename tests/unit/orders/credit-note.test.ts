import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountsRows } from '#core/orders/documents/accounts-csv.ts';
import { creditNoteSchema, type CreditNoteDocument } from '#domain/invoice/issued-documents.ts';
import { creditNoteDocument } from '#domain/invoice/credit-note.ts';
import { addUp } from '#domain/invoice/invoice-document.ts';
import { credit, creditAll, invoiceOf, invoices, refunds } from './random-sales.ts';
import { times } from '#tests/soak.ts';
import type { Registration } from '#shop-schema/tax-schema.ts';
import { useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

const ring = { product_id: 'ring', name: 'ring', quantity: 2, price: 1_030, category: 'rings' };
const watch = {
  product_id: 'watch',
  name: 'watch',
  quantity: 1,
  price: 1_180,
  category: 'watches',
};

const shown = ({ lines }: CreditNoteDocument): unknown[] =>
  lines.map(({ name, quantity, grossPaise }) => [name, quantity, grossPaise]);

describe('a credit note', () => {
  const document = invoiceOf({ items: [ring, watch] });

  test.each([
    ['refused', 'Not accepted at the door'],
    ['lost', 'Cancelled, and returned by the buyer’s bank'],
    ['not_confirmed', 'Cancelled before it was paid'],
    [null, 'Cancelled before it was paid'],
  ])('says why the shop returned nothing (%s)', (reason, words) => {
    const issued = { number: 'KSV/2026-27/0001', issuedAt: '2026-11-29T10:00:00Z', document };
    const note = creditNoteDocument(issued, [], {
      cause: 'refused',
      amountPaise: document.totalPaise,
      reason,
      items: {},
    });
    expect(note).toMatchObject({
      reason: words,
      cause: 'refused',
      totalPaise: document.totalPaise,
    });
  });

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

const sellers = fc.constantFrom<Registration[]>(
  { kind: 'regular', gstin: '32AABCU9603R1ZW' },
  { kind: 'composition', gstin: '32AABCU9603R1ZW' },
  { kind: 'unregistered', sendsToOtherStates: true },
);

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

test('the accountant’s list of any month has the sums of its documents', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(invoices, refunds, fc.boolean()), { maxLength: 6 }), (orders) => {
      const documents = orders.map(([sale]) => invoiceOf(sale));
      const creditNotes = orders.flatMap(([, list, whole], index) => {
        const document = documents[index];
        return document ? creditAll(document, list, whole) : [];
      });
      const numbered = <Document>(list: readonly Document[]) =>
        list.map((document) => ({ number: '1', issuedAt: '2026-11-21T08:00:00Z', document }));
      const [head = [], ...rows] = accountsRows({
        invoices: numbered(documents),
        creditNotes: numbered(creditNotes),
      });
      const sold = addUp(documents.flatMap(({ lines }) => lines));
      const credited = addUp(creditNotes.flatMap(({ lines }) => lines));
      const columns = [
        ['Taxable value', 'taxablePaise'],
        ['CGST', 'cgstPaise'],
        ['SGST', 'sgstPaise'],
        ['IGST', 'igstPaise'],
        ['Amount (incl. GST)', 'grossPaise'],
      ] as const;
      for (const [name, amount] of columns)
        expect(
          rows.reduce((sum, row) => sum + Number(row[head.indexOf(name)]), 0),
          name,
        ).toBe(sold[amount] - credited[amount]);
    }),
    { numRuns: times(100, 1_000) },
  );
});
