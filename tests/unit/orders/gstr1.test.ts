import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvText, parseCsv } from '#domain/csv.ts';
import { gstr1Csv } from '#domain/invoice/gstr1/gstr1-csv.ts';
import { gstr1Json } from '#domain/invoice/gstr1/gstr1-json.ts';
import { gstr1Of, hasGstin, placeOf, type ReturnMonth } from '#domain/invoice/gstr1/gstr1.ts';
import type { Amounts, InvoiceDocument } from '#domain/invoice/invoice-document.ts';
import { useSampleTax } from '#tests/sample-tax.ts';
import { times } from '#tests/soak.ts';
import { credit, creditAll, invoiceOf, invoices, refunds } from './random-sales.ts';

useSampleTax();

const gstin = '32AABCU9603R1ZW';
const numbered = <Of extends { document: InvoiceDocument }>(prefix: string, list: readonly Of[]) =>
  list.map((one, index) => ({
    ...one,
    number: `${prefix}/2026-27/${String(index + 1).padStart(4, '0')}`,
    // The 28th in India.
    issuedAt: '2026-11-27T20:00:00Z',
  }));

const noTax = { cgstPaise: 0, sgstPaise: 0, igstPaise: 0 };
/** The document with its watches as goods of a rate of 0 %. */
const exempted = (document: InvoiceDocument): InvoiceDocument => ({
  ...document,
  lines: document.lines.map((line) =>
    line.hsn === '9102' ? { ...line, rateBps: 0, taxablePaise: line.grossPaise, ...noTax } : line,
  ),
});

/** Months with small and large sales, and with credit notes for their invoices and for those of earlier months. */
const months: fc.Arbitrary<ReturnMonth> = fc
  .array(
    fc.record({
      sale: invoices,
      factor: fc.constantFrom(1, 20),
      refunded: refunds,
      isReturned: fc.boolean(),
      isExempt: fc.boolean(),
      isEarlier: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((orders) => {
    const sold = orders.map(({ sale, factor, refunded, isReturned, isExempt, isEarlier }) => {
      const items = sale.items.map((item) => ({ ...item, price: item.price * factor }));
      const invoice = invoiceOf({ ...sale, items });
      const document = isExempt ? exempted(invoice) : invoice;
      return { isEarlier, document, notes: creditAll(document, refunded, isReturned) };
    });
    const notes = sold.flatMap(({ document: { totalPaise }, notes: list }) =>
      list.map((document) => ({ document, invoiceTotalPaise: totalPaise })),
    );
    const ofMonth = sold.filter(({ isEarlier }) => !isEarlier);
    return { invoices: numbered('KSV', ofMonth), creditNotes: numbered('KSC', notes) };
  });

/** Where the rules list or sum a document. */
function tableOf(document: InvoiceDocument, invoiceTotalPaise: number, sign: 1 | -1) {
  if (hasGstin(document)) return sign === 1 ? 'b2b' : 'cdnr';
  if (placeOf(document).stateCode === '32' || invoiceTotalPaise <= 100_000_00) return 'b2cs';
  return sign === 1 ? 'b2cl' : 'cdnur';
}
const withTables = ({ invoices: sold, creditNotes }: ReturnMonth) => [
  ...sold.map(({ number, document }) => ({
    number,
    document,
    sign: 1 as const,
    table: tableOf(document, document.totalPaise, 1),
  })),
  ...creditNotes.map(({ number, document, invoiceTotalPaise }) => ({
    number,
    document,
    sign: -1 as const,
    table: tableOf(document, invoiceTotalPaise, -1),
  })),
];

type Part = readonly [keys: readonly (string | number | boolean)[], amounts: Amounts, sign: 1 | -1];
/** The parts' amounts added up by their keys; what is nothing in all is left out. */
function totals(parts: readonly Part[]): Record<string, number[]> {
  const groups = [...Map.groupBy(parts, ([keys]) => keys.join(' '))].map(
    ([key, group]): [string, number[]] => {
      const names = ['grossPaise', 'taxablePaise', 'cgstPaise', 'sgstPaise', 'igstPaise'] as const;
      const of = (name: keyof Amounts): number =>
        group.reduce((sum, [, amounts, sign]) => sum + sign * amounts[name], 0);
      return [key, names.map(of)];
    },
  );
  return Object.fromEntries(groups.filter(([, sums]) => sums.some((sum) => sum !== 0)));
}

const listing = ['b2b', 'b2cl', 'cdnr', 'cdnur'] as const;

test('every document of any month is in one table, and the tables are its documents by place, rate and HSN', () => {
  fc.assert(
    fc.property(months, (month) => {
      const tables = gstr1Of(month);
      const documents = withTables(month);
      const lines = documents.flatMap(({ document, sign, table }) =>
        document.lines.map((line) => ({ document, sign, table, line })),
      );
      const placed = (
        table: string,
        document: InvoiceDocument,
        { rateBps }: { rateBps: number },
      ) =>
        rateBps === 0
          ? ['exempt', document.interstate, hasGstin(document)]
          : [table, placeOf(document).stateCode, rateBps];
      const inTables = [
        ...listing.flatMap((name) =>
          tables[name].flatMap(({ document, rates }) =>
            rates.map((sum): Part => [
              placed(name, document, sum),
              sum,
              name.startsWith('cdn') ? -1 : 1,
            ]),
          ),
        ),
        ...tables.b2cs.map((sum): Part => [placed('b2cs', sum.document, sum), sum, 1]),
        ...tables.exempt.map((sum): Part => [placed('exempt', sum.document, sum), sum, 1]),
      ];
      expect(totals(inTables)).toEqual(
        totals(lines.map((one) => [placed(one.table, one.document, one.line), one.line, one.sign])),
      );
      for (const name of listing)
        expect(tables[name].map(({ number }) => number)).toEqual(
          documents
            .filter(
              ({ document, table }) =>
                table === name &&
                document.lines.some(({ rateBps, grossPaise }) => rateBps * grossPaise !== 0),
            )
            .map(({ number }) => number),
        );

      const hsn = [...tables.hsnB2b, ...tables.hsnB2c];
      const coded = (document: InvoiceDocument, line: { hsn: string; rateBps: number }) => [
        ...[hasGstin(document), line.hsn, line.rateBps],
      ];
      expect(totals(hsn.map((sum) => [coded(sum.document, sum.line), sum, 1]))).toEqual(
        totals(lines.map(({ document, line, sign }) => [coded(document, line), line, sign])),
      );
      expect(hsn.reduce((units, { quantity }) => units + quantity, 0)).toBe(
        lines
          .filter(({ line }) => line.kind === 'goods')
          .reduce((units, { line, sign }) => units + sign * line.quantity, 0),
      );
      expect(tables.documents.map(({ kind, count }) => [kind, count])).toEqual(
        [
          ['invoice', month.invoices.length],
          ['creditNote', month.creditNotes.length],
        ].filter(([, count]) => count !== 0),
      );
    }),
    { numRuns: times(200, 2_000) },
  );
});

/** Number or HSN, rate and taxable value of every row of a section. */
function rowsOf(section: unknown, of: unknown = ''): string[] {
  if (Array.isArray(section)) return section.flatMap((one) => rowsOf(one, of));
  if (typeof section !== 'object' || section === null) return [];
  const row = section as Record<string, unknown>;
  const name = row['inum'] ?? row['nt_num'] ?? row['hsn_sc'] ?? of;
  return row['txval'] === undefined
    ? Object.values(row).flatMap((inner) => rowsOf(inner, name))
    : [JSON.stringify([name, row['rt'], row['txval']])];
}

test('an invoice to another state is listed above one lakh rupees, and summed at exactly that', () => {
  const of = (totalPaise: number) => {
    const document = invoiceOf({
      items: [{ quantity: 1, price: 1_000, hsn: '7117' }],
      pin: '560001',
    });
    const tables = gstr1Of({
      invoices: numbered('KSV', [{ document: { ...document, totalPaise } }]),
      creditNotes: [],
    });
    return [tables.b2cl.length, tables.b2cs.length > 0];
  };
  expect([of(10_000_000), of(10_000_001)]).toEqual([
    [0, true],
    [1, false],
  ]);
});

test('the CSV files and the JSON file of any month say the same', () => {
  fc.assert(
    fc.property(months, (month) => {
      const tables = gstr1Of(month);
      const files = gstr1Csv(tables);
      const { hsn, ...json } = gstr1Json(tables, gstin, '2026-11');
      const sections = { ...json, 'hsn(b2b)': hsn?.hsn_b2b, 'hsn(b2c)': hsn?.hsn_b2c };
      for (const name of [...listing, 'b2cs', 'hsn(b2b)', 'hsn(b2c)'] as const) {
        const reading = parseCsv(csvText(files.get(`${name}.csv`) ?? []));
        const [head = [], ...rows] = reading.ok ? reading.rows : [];
        const written = rows.map((row) => {
          const cell = (heading: RegExp) => row[head.findIndex((one) => heading.test(one))] ?? '';
          const figures = [Number(cell(/^Rate$/u)), Number(cell(/^Taxable Value$/u))];
          return JSON.stringify([cell(/^(?:Invoice|Note) Number$|^HSN$/u), ...figures]);
        });
        expect(written.sort(), name).toEqual(rowsOf(sections[name]).sort());
      }
    }),
    { numRuns: times(100, 1_000) },
  );
});

test('the files have the headings and the cells that the offline tool takes', () => {
  const ring = { product_id: 'a', quantity: 2, price: 1_030, category: 'rings' };
  const large = invoiceOf({ items: [{ ...ring, price: 51_500 }], pin: '110001' });
  const business = invoiceOf({ items: [ring], pin: '110001', gstin: '27AAPFU0939F1ZV' });
  const unwritable = { ...business, buyer: { ...business.buyer, name: 'അഞ്ജലി' } };
  const glass = exempted(invoiceOf({ items: [{ ...ring, category: 'watches' }] }));
  const sold = [invoiceOf({ items: [ring] }), business, large, glass];
  const taken = [credit(unwritable, [], 103_000, { a: 1 }), credit(large, [], 10_300)];
  const { totalPaise: invoiceTotalPaise } = large;
  const tables = gstr1Of({
    invoices: sold.flatMap((document) => numbered('KSV', [{ document }])),
    creditNotes: taken.flatMap((document) => numbered('KSC', [{ document, invoiceTotalPaise }])),
  });
  const files: Record<string, string[]> = {
    'b2b.csv': [
      'GSTIN/UIN of Recipient,Receiver Name,Invoice Number,Invoice date,Invoice Value,Place Of Supply,Reverse Charge,Applicable % of Tax Rate,Invoice Type,E-Commerce GSTIN,Rate,Taxable Value,Cess Amount',
      '27AAPFU0939F1ZV,Anjali Menon,KSV/2026-27/0001,28-Nov-2026,2108.62,07-Delhi,N,,Regular B2B,,3,2000.00,0.00',
      '27AAPFU0939F1ZV,Anjali Menon,KSV/2026-27/0001,28-Nov-2026,2108.62,07-Delhi,N,,Regular B2B,,18,41.20,0.00',
    ],
    'b2cl.csv': [
      'Invoice Number,Invoice date,Invoice Value,Place Of Supply,Applicable % of Tax Rate,Rate,Taxable Value,Cess Amount,E-Commerce GSTIN',
      'KSV/2026-27/0001,28-Nov-2026,105430.80,07-Delhi,,3,100000.00,0.00,',
      'KSV/2026-27/0001,28-Nov-2026,105430.80,07-Delhi,,18,2060.00,0.00,',
    ],
    'b2cs.csv': [
      'Type,Place Of Supply,Applicable % of Tax Rate,Rate,Taxable Value,Cess Amount,E-Commerce GSTIN',
      'OE,32-Kerala,,3,2000.00,0.00,',
      'OE,32-Kerala,,18,82.40,0.00,',
    ],
    'cdnr.csv': [
      'GSTIN/UIN of Recipient,Receiver Name,Note Number,Note Date,Note Type,Place Of Supply,Reverse Charge,Note Supply Type,Note Value,Applicable % of Tax Rate,Rate,Taxable Value,Cess Amount',
      '27AAPFU0939F1ZV,,KSC/2026-27/0001,28-Nov-2026,C,07-Delhi,N,Regular B2B,1030.00,,3,1000.00,0.00',
    ],
    'cdnur.csv': [
      'UR Type,Note Number,Note Date,Note Type,Place Of Supply,Note Value,Applicable % of Tax Rate,Rate,Taxable Value,Cess Amount',
      'B2CL,KSC/2026-27/0001,28-Nov-2026,C,07-Delhi,103.00,,3,97.70,0.00',
      'B2CL,KSC/2026-27/0001,28-Nov-2026,C,07-Delhi,103.00,,18,2.01,0.00',
    ],
    'exemp.csv': [
      'Description,Nil Rated Supplies,Exempted(other than nil rated/non GST supply),Non-GST Supplies',
      'Intra-State supplies to unregistered persons,0.00,2060.00,0.00',
    ],
    'hsn(b2b).csv': [
      'HSN,Description,UQC,Total Quantity,Total Value,Rate,Taxable Value,Integrated Tax Amount,Central Tax Amount,State/UT Tax Amount,Cess Amount',
      '7117,Imitation jewellery,NOS-NUMBERS,1,1030.00,3,1000.00,30.00,0.00,0.00,0.00',
      '9985,Platform fee,NA,0,48.62,18,41.20,7.42,0.00,0.00,0.00',
    ],
  };
  const written = gstr1Csv(tables);
  for (const [name, lines] of Object.entries(files))
    expect(csvText(written.get(name) ?? []), name).toBe(`\u{feff}${lines.join('\r\n')}\r\n`);
  expect(JSON.parse(JSON.stringify(gstr1Json(tables, gstin, '2026-11')))).toMatchObject({
    gstin,
    fp: '112026',
    version: 'GST3.2.4',
    hash: 'hash',
    b2cl: [{ pos: '07', inv: [{ idt: '28-11-2026', val: 105_430.8 }] }],
    cdnr: [{ ctin: '27AAPFU0939F1ZV', nt: [{ ntty: 'C', nt_dt: '28-11-2026', pos: '07' }] }],
    cdnur: [{ typ: 'B2CL', itms: [{ num: 301, itm_det: { rt: 3, txval: 97.7, iamt: 2.93 } }, {}] }],
    nil: { inv: [{ sply_ty: 'INTRAB2C', expt_amt: 2_060, nil_amt: 0, ngsup_amt: 0 }] },
  });
});

test('a number that is left out, a new prefix and a document of nothing are told in table 13 alone', () => {
  const document = invoiceOf({ items: [] });
  const numbers = ['KSV/2026-27/9998', 'KSV/2026-27/9999', 'KSV/26-27/10000', 'KSV/26-27/10002'];
  const issued = numbers.map((number) => ({ number, issuedAt: '2026-11-27T20:00:00Z', document }));
  const bill = invoiceOf({ items: [], seller: { kind: 'composition', gstin } });
  const sold = [...issued, ...numbered('X', [{ document: bill }])];
  const tables = gstr1Of({ invoices: sold, creditNotes: [] });
  expect([...gstr1Csv(tables)]).toEqual([
    [
      'docs.csv',
      [
        ['Nature of Document', 'Sr. No. From', 'Sr. No. To', 'Total Number', 'Cancelled'],
        ['Invoices for outward supply', numbers[0], numbers[1], '2', '0'],
        ['Invoices for outward supply', numbers[2], numbers[2], '1', '0'],
        ['Invoices for outward supply', numbers[3], numbers[3], '1', '0'],
      ],
    ],
  ]);
  expect(gstr1Json(tables, gstin, '2026-11').doc_issue?.doc_det).toMatchObject([
    { doc_num: 1, docs: [{ num: 1, from: numbers[0], to: numbers[1], totnum: 2 }, {}, {}] },
  ]);
});
