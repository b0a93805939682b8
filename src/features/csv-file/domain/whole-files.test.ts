import { describe, expect, test, vi } from 'vitest';
import { fileOf, readFile } from '#tests/features/csv-file/read-file.ts';
import { readTable } from '#domain/admin/table-file.ts';
import { parseCsv } from '#domain/csv.ts';
import { knownListOf } from './known-lists.ts';
import { priceCheckOf } from './price-check.ts';
import { firstMapping, productsOf } from './read-products.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

const tableOf = (text: string) => {
  const reading = readTable(parseCsv(text), 100);
  if (!reading.ok) throw new Error(reading.fault.message);
  return reading.table;
};
const checkOf = (text: string) => {
  const table = tableOf(text);
  const mapping = firstMapping(table);
  return priceCheckOf(table, mapping, productsOf(table, { mapping, isSplit: false }));
};

describe('the prices of a list', () => {
  test('are shown as a guess, with two products', () => {
    expect(
      checkOf(
        'Item Name,Category,Cost Price,Selling Price\nA,Rings,120,450\nB,Rings,90,300\nC,Rings,1,2\n',
      ),
    ).toMatchObject({
      price: 'Selling Price',
      offer: undefined,
      several: [],
      columns: ['Selling Price', 'Cost Price', 'Item Name', 'Category'],
      samples: [
        { name: 'A', price: 45_000, offer: null },
        { name: 'B', price: 30_000, offer: null },
      ],
      low: null,
    });
  });

  test('are asked about when an offer is below a third of the price, and no sooner', () => {
    const low = (offer: string) =>
      checkOf(`Name,Price,Offer price,Shelf\nA,300,${offer},x\nB,300,299,x\n`);
    expect(low('99')?.low).toEqual({ count: 1, first: { name: 'A', price: 30_000, offer: 9_900 } });
    expect(low('100')).toBeNull();
  });

  test('are asked for when no column says them, unless the list changes products by their ID', () => {
    expect(checkOf('Particulars,₹\nA,1\n')).toMatchObject({ price: undefined });
    expect(checkOf('ID,Stock\n0,1\n')).toBeNull();
  });
});

describe('a list', () => {
  test('has its headings below a title, and says in which row', () => {
    const text = 'Sri Lakshmi Stores\nStock on 28-Nov-2026,\n\nParticulars|Rate|Qty\nRing|1299|3\n';
    const table = tableOf(text.replaceAll('|', ','));
    expect([table.headingRow, table.headings, table.rows.length]).toEqual([
      4,
      ['Particulars', 'Rate', 'Qty'],
      1,
    ]);
    expect(tableOf(text.replace('28-Nov-2026,', '28-Nov-2026')).headings).toEqual(table.headings);
    // A row of data is no heading, however much fuller it is.
    expect(tableOf('Name\nRing,1299,3,x\n').headings).toEqual([
      'Name',
      'Column B',
      'Column C',
      'Column D',
    ]);
  });

  test('has every text under a column that somebody can choose', () => {
    const { unread } = readFile(
      'Name,Category,Price,Stock,,₹\nRing,Rings,10,1,left,right,beyond\n',
    );
    expect(unread).toEqual([
      { column: 'Column E', count: 1, samples: ['left'] },
      { column: '₹ Column F', count: 1, samples: ['right'] },
      { column: 'Column G', count: 1, samples: ['beyond'] },
    ]);
  });

  test('with numbers of another program in a column “ID” is not taken for the shop’s own', () => {
    const list = (id: string) =>
      readFile(`ID,Name,Category,Price,Stock,Shelf\n${id},Ring,Rings,10,1,\n`);
    expect(list('20260611').plan).toMatchObject({
      faults: [],
      added: [{ product: { name: 'Ring' } }],
    });
    expect(list('20260611').unread).toMatchObject([{ column: 'ID' }]);
    expect(list('00000000-0000-4000-8000-000000000001').plan.faults).toMatchObject([
      { column: 'ID' },
    ]);
  });

  test('counts the texts of one product that do not agree', () => {
    const row = { Handle: 'a', Name: 'Ring', Category: 'Rings', Price: '10', Stock: '1' };
    const { unplaced, plan } = readFile(
      fileOf([
        { ...row, Size: '12', Description: 'Brass' },
        { ...row, Size: '14', Description: 'Silver' },
      ]),
    );
    expect(plan.faults).toEqual([]);
    expect(unplaced).toEqual([
      {
        column: 'Description',
        count: 1,
        why: 'Another row of the same product says something else',
      },
    ]);
  });

  test('with an empty cell of stock does not say nought: that size alone is asked for', () => {
    const row = { Handle: 'a', Name: 'Ring', Category: 'Rings', MRP: '10' };
    const text = fileOf([
      { ...row, Size: '12', Qty: '' },
      { ...row, Size: '14', Qty: '0' },
    ]);
    expect(readFile(text, { uncountedUnits: '' })).toMatchObject({ open: 1, plan: { added: [] } });
    expect(readFile(text, { uncountedUnits: '7' }).plan.added).toMatchObject([
      {
        product: {
          sizes: [
            { size: '12', stock: 7 },
            { size: '14', stock: 0 },
          ],
        },
      },
    ]);
  });

  test('in another currency waits for one rate, and nought leaves its products out', () => {
    const text = 'Product,Category,Price (USD),Qty\nRing,Rings,10,1\nBand,Rings,$2.50,1\n';
    const rated = (rate: string) => readFile(text, { rates: new Map([['USD', rate]]) });
    expect(readFile(text)).toMatchObject({ open: 2, plan: { added: [] } });
    expect(rated('84').plan.added.map(({ product }) => product.price)).toEqual([84_000, 21_000]);
    expect(rated('0')).toMatchObject({ open: 0, leftOut: [{ name: 'Ring' }, { name: 'Band' }] });
    expect(rated('x')).toMatchObject({ open: 2 });
  });

  test('reads noughts behind an amount, and 0 as no weight', () => {
    const { plan } = readFile(
      'Product,Category,MRP,Qty,Weight\nRing,Rings,1299.0000,3.0000,0.00\n',
    );
    expect(plan).toMatchObject({
      faults: [],
      added: [{ product: { price: 129_900, stock: 3, attributes: {} } }],
    });
    expect(plan.added[0]?.product.attributes.weight_g).toBeUndefined();
    expect(readFile('Product,Category,MRP,Qty\nRing,Rings,1299.001,3\n').plan.faults).toMatchObject(
      [{ column: 'Price' }],
    );
  });

  test('may have any name for a category or a column', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      const text = fileOf([{ Product: 'A', Category: name, Price: '10', Stock: '1' }]);
      expect(readFile(text)).toMatchObject({ open: 1, unknown: [{ name, count: 1 }] });
      const categories = new Map([[name, 'rings']]);
      expect(readFile(text, { categories }).plan.added).toMatchObject([
        { product: { category: 'rings' } },
      ]);
    }
  });
});

describe('the category in a name', () => {
  test.each([
    ['Ring', undefined],
    ['Rings', undefined],
    ['Nose ring', '“nose ring” in the name'],
    ['Key Rings', '“key ring” in the name'],
    ['Ring box', '“ring” in the name'],
    ['Silver toe rings', '“silver toe ring” in the name'],
    ['Brass lamp', ''],
  ])('of %s is asked for as %s', (Product, asked) => {
    const text = fileOf([{ Product, Price: '10', Stock: '1' }]);
    expect(readFile(text).unknown[0]?.name).toBe(asked);
  });

  test('is without the entities that other programs write', () => {
    const text = fileOf([{ Product: 'A', Category: 'Rings &amp;amp; Bands', Price: '10' }]);
    expect(readFile(text).unknown).toMatchObject([{ name: 'Rings & Bands' }]);
  });
});

test('a list of a known program says which one, and what to do', () => {
  const table = tableOf(
    'Product ID;Active (0/1);Name *;Price tax excluded;Quantity\n1;1;Ring;10;2\n',
  );
  expect(knownListOf(table)?.name).toBe('PrestaShop');
  expect(checkOf('Product ID;Active (0/1);Name *;Price tax excluded\n1;1;Ring;10\n')).toMatchObject(
    {
      price: undefined,
      columns: ['Price tax excluded', 'Product ID', 'Active (0/1)', 'Name *'],
    },
  );
  expect(knownListOf(tableOf('Name,Price\nRing,10\n'))).toBeNull();
});
