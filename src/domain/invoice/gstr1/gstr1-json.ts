import { rupeesFromPaise } from '#domain/money.ts';
import type { Amounts } from '#domain/invoice/invoice-document.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import { documentKinds, hsnName } from './gstr1-names.ts';
import {
  hasGstin,
  isService,
  placeOf,
  type Gstr1,
  type GroupSum,
  type ListedDocument,
  type RateSum,
} from './gstr1.ts';

/*
 * GSTR-1 as the JSON file that the GST portal takes. The keys are those that the Returns Offline Tool of GSTN writes and that India
 * Compliance for ERPNext sends (docs/provider-facts.md, "GST returns"). Amounts are in rupees, and are those of the documents: the
 * tool computes the tax of a CSV file anew, from its taxable values.
 */

/** What the offline tool of March 2026 writes. */
const version = 'GST3.2.4';

/** '28-11-2026', the day in India. */
const dayOf = (issuedAt: string): string =>
  isoDateInIndia(issuedAt).split('-').toReversed().join('-');

const stateTax = ({ cgstPaise, sgstPaise }: Amounts) => ({
  camt: rupeesFromPaise(cgstPaise),
  samt: rupeesFromPaise(sgstPaise),
});
const taxed = (sum: RateSum, interstate: boolean) => ({
  rt: sum.rateBps / 100,
  txval: rupeesFromPaise(sum.taxablePaise),
  ...(interstate ? { iamt: rupeesFromPaise(sum.igstPaise) } : stateTax(sum)),
  csamt: 0,
});

const itemsOf = ({ rates, document }: ListedDocument) =>
  // The tool numbers an item by its rate.
  rates.map((sum) => ({ num: sum.rateBps + 1, itm_det: taxed(sum, document.interstate) }));
const invoiceOf = (invoice: ListedDocument) => ({
  inum: invoice.number,
  idt: dayOf(invoice.issuedAt),
  val: rupeesFromPaise(invoice.document.totalPaise),
  itms: itemsOf(invoice),
});
const noteOf = (note: ListedDocument) => ({
  ntty: 'C',
  nt_num: note.number,
  nt_dt: dayOf(note.issuedAt),
  val: rupeesFromPaise(note.document.totalPaise),
  pos: placeOf(note.document).stateCode,
  itms: itemsOf(note),
});
const regular = { rchrg: 'N', inv_typ: 'R' } as const;

const hsnRow = (sum: GroupSum, index: number) => ({
  num: index + 1,
  hsn_sc: sum.line.hsn,
  desc: hsnName(sum),
  uqc: isService(sum) ? 'NA' : 'NOS',
  qty: sum.quantity,
  rt: sum.rateBps / 100,
  txval: rupeesFromPaise(sum.taxablePaise),
  iamt: rupeesFromPaise(sum.igstPaise),
  ...stateTax(sum),
  csamt: 0,
});

const byGstin = (documents: readonly ListedDocument[]) =>
  Array.from(Map.groupBy(documents, ({ document }) => document.buyer.gstin ?? ''));

/** Undefined, which `JSON.stringify` leaves out, for a section without rows. */
const some = <Row>(rows: readonly Row[]): readonly Row[] | undefined =>
  rows.length === 0 ? undefined : rows;

/**
 * The content of the file, for `JSON.stringify`.
 *
 * @param month '2026-11'.
 */
export function gstr1Json(tables: Gstr1, gstin: string, month: string) {
  const exempt = tables.exempt.map(({ document, grossPaise }) => ({
    sply_ty: `${document.interstate ? 'INTR' : 'INTRA'}B2${hasGstin(document) ? 'B' : 'C'}`,
    expt_amt: rupeesFromPaise(grossPaise),
    nil_amt: 0,
    ngsup_amt: 0,
  }));
  const byPlace = Map.groupBy(tables.b2cl, ({ document }) => placeOf(document).stateCode);
  const byKind = Map.groupBy(tables.documents, ({ kind }) => kind);
  return {
    gstin,
    fp: month.split('-').toReversed().join(''),
    version,
    hash: 'hash',
    b2b: some(
      byGstin(tables.b2b).map(([ctin, invoices]) => ({
        ctin,
        inv: invoices.map((invoice) => ({
          ...invoiceOf(invoice),
          pos: placeOf(invoice.document).stateCode,
          ...regular,
        })),
      })),
    ),
    b2cl: some(Array.from(byPlace, ([pos, invoices]) => ({ pos, inv: invoices.map(invoiceOf) }))),
    b2cs: some(
      tables.b2cs.map((sum) => ({
        sply_ty: sum.document.interstate ? 'INTER' : 'INTRA',
        typ: 'OE',
        pos: placeOf(sum.document).stateCode,
        ...taxed(sum, sum.document.interstate),
      })),
    ),
    cdnr: some(
      byGstin(tables.cdnr).map(([ctin, notes]) => ({
        ctin,
        nt: notes.map((note) => ({ ...noteOf(note), ...regular })),
      })),
    ),
    cdnur: some(tables.cdnur.map((note) => ({ typ: 'B2CL', ...noteOf(note) }))),
    nil: exempt.length === 0 ? undefined : { inv: exempt },
    hsn:
      tables.hsnB2b.length + tables.hsnB2c.length === 0
        ? undefined
        : {
            hsn_b2b: some(tables.hsnB2b.map(hsnRow)),
            hsn_b2c: some(tables.hsnB2c.map(hsnRow)),
          },
    doc_issue:
      byKind.size === 0
        ? undefined
        : {
            doc_det: Array.from(byKind, ([kind, ranges]) => ({
              doc_num: documentKinds[kind].number,
              docs: ranges.map(({ from, to, count }, index) => ({
                num: index + 1,
                from,
                to,
                totnum: count,
                cancel: 0,
                net_issue: count,
              })),
            })),
          },
  };
}
