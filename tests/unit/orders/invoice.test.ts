import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addUp, amountsByRate, invoiceDocumentSchema } from '#domain/invoice/invoice-document.ts';
import { invoiceDocument } from '#domain/invoice/invoice.ts';
import { paidOrder } from './paid-order.ts';
import { eachRow } from '#tests/each-row.ts';
import { times } from '#tests/soak.ts';
import { useSampleTax } from '#tests/sample-tax.ts';
import { amountInWords, numberInWords } from '#domain/invoice/amount-in-words.ts';

useSampleTax();

const sold = [
  { product_id: 'ring', name: 'Temple ring', quantity: 2, price: 1_030, category: 'rings' },
  { product_id: 'watch', name: 'Round watch', quantity: 1, price: 1_180, category: 'watches' },
];

test('an order within Kerala is invoiced with CGST and SGST by line, and the fee as a service', () => {
  const document = invoiceDocument(paidOrder(sold));
  expect(document).toMatchObject({
    interstate: false,
    placeOfSupply: { state: 'Kerala', stateCode: '32' },
    totalPaise: 331_646,
  });
  expect(document.lines).toMatchObject([
    {
      hsn: '7117',
      rateBps: 300,
      quantity: 2,
      grossPaise: 206_000,
      taxablePaise: 200_000,
      cgstPaise: 3_000,
      sgstPaise: 3_000,
    },
    {
      hsn: '9102',
      rateBps: 1_800,
      grossPaise: 118_000,
      taxablePaise: 100_000,
      cgstPaise: 9_000,
      sgstPaise: 9_000,
    },
    {
      kind: 'fee',
      hsn: '9985',
      rateBps: 1_800,
      grossPaise: 7_646,
      taxablePaise: 6_480,
      cgstPaise: 583,
      sgstPaise: 583,
    },
  ]);
  expect(amountsByRate(document.lines)).toMatchObject([
    { rateBps: 300, grossPaise: 206_000 },
    { rateBps: 1_800, grossPaise: 125_646, taxablePaise: 106_480 },
  ]);
});

test('an order to another state, or to no known one, is invoiced with IGST', () =>
  eachRow(
    [
      ['560001', { state: 'Karnataka', stateCode: '29' }],
      ['673310', { state: 'Puducherry', stateCode: '34' }],
      ['12345', null],
      [null, null],
    ],
    ([pin, placeOfSupply]) => {
      const document = invoiceDocument(paidOrder(sold, { customer_postal_code: pin }));
      expect(document).toMatchObject({ interstate: true, placeOfSupply });
      expect(document.lines[0]).toMatchObject({
        taxablePaise: 200_000,
        cgstPaise: 0,
        sgstPaise: 0,
        igstPaise: 6_000,
      });
    },
  ));

test('the tax of a product hangs on the order’s own copy, or else on the catalogue, or else it is jewellery', () =>
  eachRow(
    [
      [{ category: 'watches' }, { watch: { category: 'rings', hsn: null } }, '9102'],
      [{}, { watch: { category: 'watches', hsn: null } }, '9102'],
      [{}, {}, '7117'],
    ] as const,
    ([own, facts, hsn]) => {
      const order = paidOrder([{ product_id: 'watch', quantity: 1, price: 10, ...own }]);
      const rateBps = hsn === '9102' ? 1_800 : 300;
      expect(invoiceDocument(order, facts).lines[0]).toMatchObject({ hsn, rateBps });
    },
  ));

test('an imported order whose items are worth more than was paid has a discount, less has other charges', () => {
  const items = JSON.stringify([{ raw: { name: 'Ring', quantity: 1, price: 500 } }]);
  const imported = (amount: number) =>
    invoiceDocument(
      paidOrder([], {
        items: null,
        products: items,
        fee_paise: null,
        total_paise: null,
        amount: null,
        total_amount: amount,
      }),
    );
  expect(imported(450).lines).toMatchObject([
    { grossPaise: 50_000 },
    { name: 'Discount', grossPaise: -5_000, rateBps: 300 },
  ]);
  expect(imported(520).lines).toMatchObject([
    { grossPaise: 50_000 },
    { name: 'Other charges', grossPaise: 2_000 },
  ]);
});

test('the lines of any order add up to what was paid, and the document reads as it was written', () => {
  const items = fc.array(
    fc.record({
      product_id: fc.uuid(),
      name: fc.string(),
      quantity: fc.integer({ min: 1, max: 50 }),
      price: fc.integer({ min: 1, max: 2_000_000 }).map((paise) => paise / 100),
      category: fc.constantFrom('rings', 'watches', 'earrings', null),
      hsn: fc.constantFrom('7113', '9102', '4202', null),
    }),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(items, fc.constantFrom('682001', '110001', ''), (list, pin) => {
      const order = paidOrder(list, { customer_postal_code: pin });
      const document = invoiceDocument(order);
      const sum = addUp(document.lines);
      expect(sum.grossPaise).toBe(document.totalPaise);
      expect(sum.grossPaise).toBe(order.amount);
      expect(sum.taxablePaise + sum.cgstPaise + sum.sgstPaise + sum.igstPaise).toBe(sum.grossPaise);
      expect(sum.cgstPaise).toBe(sum.sgstPaise);
      expect(pin === '682001' ? sum.igstPaise : sum.cgstPaise).toBe(0);
      expect(document.lines.some(({ kind }) => kind === 'adjustment')).toBe(false);
      const kept = invoiceDocumentSchema.parse(JSON.parse(JSON.stringify(document)));
      expect(kept).toEqual(document);
    }),
    { numRuns: times(500, 2_000) },
  );
});

test('paise are written in words with lakh and crore', () =>
  eachRow(
    [
      [0, 'Rupees zero only'],
      [100, 'Rupees one only'],
      [7, 'Rupees zero and seven paise only'],
      [2_150, 'Rupees twenty-one and fifty paise only'],
      [10_000_000, 'Rupees one lakh only'],
      [
        12_345_650,
        'Rupees one lakh twenty-three thousand four hundred fifty-six and fifty paise only',
      ],
      [100_000_000, 'Rupees ten lakh only'],
      [
        1_234_567_899,
        'Rupees one crore twenty-three lakh forty-five thousand six hundred seventy-eight and ninety-nine paise only',
      ],
      [-5_000, 'Minus Rupees fifty only'],
    ],
    ([paise, words]) => {
      expect(amountInWords(paise)).toBe(words);
    },
  ));

test('no two numbers up to a crore share their words', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), fc.nat(10_000_000), (a, b) => {
      expect(numberInWords(a) === numberInWords(b)).toBe(a === b);
      expect(numberInWords(a)).toMatch(/^[a-z]+(?:[ -][a-z]+)*$/u);
    }),
  );
});
