import type { Cell } from '#domain/csv.ts';
import { buyerName, csvDay, documentKinds, hsnName } from './gstr1-names.ts';
import {
  hasGstin,
  isService,
  placeOf,
  type Gstr1,
  type GroupSum,
  type ListedDocument,
  type NumberRange,
  type RateSum,
} from './gstr1.ts';

/*
 * GSTR-1 as CSV files of the Returns Offline Tool of GSTN, a file for each table. The tool finds columns by these headings and refuses
 * a row whose cells are of another form; both are read in its source (docs/provider-facts.md, "GST returns").
 */

type Column<Row> = readonly [heading: string, cellOf: (row: Row) => Cell];

const fixed = (heading: string, cell: Cell) => [heading, () => cell] as const;
/** An empty cell says that all of the tax is due. The tool's other choice is 65 % of it. */
const wholeTax = fixed('Applicable % of Tax Rate', '');
const noCess = fixed('Cess Amount', 0);
const noOperator = fixed('E-Commerce GSTIN', '');
const noReverseCharge = fixed('Reverse Charge', 'N');

/** The rate as '3' or '0.25', because the tool refuses '3.00'. */
const rate: Column<RateSum> = ['Rate', ({ rateBps }) => String(rateBps / 100)];
const taxable: Column<RateSum> = ['Taxable Value', ({ taxablePaise }) => taxablePaise];

/** '32-Kerala'. */
const place: Column<Pick<ListedDocument, 'document'>> = [
  'Place Of Supply',
  ({ document }) => `${placeOf(document).stateCode}-${placeOf(document).state}`,
];

/** One rate of a document. */
type Row = Omit<ListedDocument, 'rates'> & RateSum;
const rowsOf = (documents: readonly ListedDocument[]): Row[] =>
  documents.flatMap(({ rates, ...document }) => rates.map((sum) => ({ ...document, ...sum })));

const buyer: readonly Column<Row>[] = [
  ['GSTIN/UIN of Recipient', ({ document }) => document.buyer.gstin],
  ['Receiver Name', buyerName],
];
const invoice: readonly Column<Row>[] = [
  ['Invoice Number', ({ number }) => number],
  ['Invoice date', csvDay],
  ['Invoice Value', ({ document }) => document.totalPaise],
  place,
];
const note: readonly Column<Row>[] = [
  ['Note Number', ({ number }) => number],
  ['Note Date', csvDay],
  fixed('Note Type', 'C'),
  place,
];
const noteEnd: readonly Column<Row>[] = [
  ['Note Value', ({ document }) => document.totalPaise],
  wholeTax,
  rate,
  taxable,
  noCess,
];
const b2b: readonly Column<Row>[] = [
  ...buyer,
  ...invoice,
  noReverseCharge,
  wholeTax,
  fixed('Invoice Type', 'Regular B2B'),
  noOperator,
  rate,
  taxable,
  noCess,
];
const cdnr: readonly Column<Row>[] = [
  ...buyer,
  ...note,
  noReverseCharge,
  fixed('Note Supply Type', 'Regular B2B'),
  ...noteEnd,
];
/** "OE", other than e-commerce: not through another's marketplace. */
const b2cs: readonly Column<GroupSum>[] = [
  fixed('Type', 'OE'),
  place,
  wholeTax,
  rate,
  taxable,
  noCess,
  noOperator,
];
const exempt: readonly Column<GroupSum>[] = [
  [
    'Description',
    ({ document }) =>
      `${document.interstate ? 'Inter' : 'Intra'}-State supplies to ${hasGstin(document) ? '' : 'un'}registered persons`,
  ],
  fixed('Nil Rated Supplies', 0),
  ['Exempted(other than nil rated/non GST supply)', ({ grossPaise }) => grossPaise],
  fixed('Non-GST Supplies', 0),
];
const hsn: readonly Column<GroupSum>[] = [
  ['HSN', ({ line }) => line.hsn],
  ['Description', hsnName],
  ['UQC', (sum) => (isService(sum) ? 'NA' : 'NOS-NUMBERS')],
  ['Total Quantity', ({ quantity }) => String(quantity)],
  ['Total Value', ({ grossPaise }) => grossPaise],
  rate,
  taxable,
  ['Integrated Tax Amount', ({ igstPaise }) => igstPaise],
  ['Central Tax Amount', ({ cgstPaise }) => cgstPaise],
  ['State/UT Tax Amount', ({ sgstPaise }) => sgstPaise],
  noCess,
];
/** An issued number is never cancelled: what goes back has a credit note. */
const docs: readonly Column<NumberRange>[] = [
  ['Nature of Document', ({ kind }) => documentKinds[kind].name],
  ['Sr. No. From', ({ from }) => from],
  ['Sr. No. To', ({ to }) => to],
  ['Total Number', ({ count }) => String(count)],
  fixed('Cancelled', '0'),
];

const file = <Of>(
  name: string,
  rows: readonly Of[],
  columns: readonly Column<Of>[],
): [name: string, rows: Cell[][]][] =>
  rows.length === 0
    ? []
    : [
        [
          `${name}.csv`,
          [
            columns.map(([heading]) => heading),
            ...rows.map((row) => columns.map(([, cellOf]) => cellOf(row))),
          ],
        ],
      ];

/**
 * The files by their names, with amounts in paise; a table without rows has none. The tool takes 'hsn(b2b).csv' and 'hsn(b2c).csv'
 * under these names only.
 */
export const gstr1Csv = (tables: Gstr1): Map<string, Cell[][]> =>
  new Map([
    ...file('b2b', rowsOf(tables.b2b), b2b),
    ...file('b2cl', rowsOf(tables.b2cl), [...invoice, wholeTax, rate, taxable, noCess, noOperator]),
    ...file('b2cs', tables.b2cs, b2cs),
    ...file('cdnr', rowsOf(tables.cdnr), cdnr),
    ...file('cdnur', rowsOf(tables.cdnur), [fixed('UR Type', 'B2CL'), ...note, ...noteEnd]),
    ...file('exemp', tables.exempt, exempt),
    ...file('hsn(b2b)', tables.hsnB2b, hsn),
    ...file('hsn(b2c)', tables.hsnB2c, hsn),
    ...file('docs', tables.documents, docs),
  ]);
