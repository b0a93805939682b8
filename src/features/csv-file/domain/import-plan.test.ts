import { describe, expect, test, vi } from 'vitest';
import { catalogueRows } from './catalogue-csv.ts';
import { idsAndNames } from './import-plan.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import { csvText } from '#domain/csv.ts';
import { adminProduct } from '#tests/unit/admin/admin-product.ts';
import {
  faultsOf,
  idOfRow,
  newId,
  plan,
  readText,
  ring,
} from '#tests/features/csv-file/plan-file.ts';
import { eachRow } from '#tests/each-row.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

const { id } = ring;
const revision = 'stock 5 at 2026-11-20T10:00:00.123456+00:00';

describe('a file that a person wrote', () => {
  test('is read with rupees, categories and images as people write them', () => {
    const { added } = plan(
      'name;PRICE;Category;offer_price;In the shop;Picture 1\r\nBangle;"₹1,23,456.50";Bracelets;;No;C:\\pics\\A.JPG\r\n',
      [],
    );
    expect(added).toEqual([
      {
        row: 2,
        id: idOfRow(2),
        seen: null,
        changes: [],
        namesake: false,
        oldAddresses: [],
        product: {
          name: 'Bangle',
          description: '',
          category: 'bracelets',
          price: 12_345_650,
          offerPrice: null,
          stock: 0,
          sizes: [],
          hidden: true,
          images: ['products/uploaded.webp'],
          imageAlts: [''],
          attributes: { size: 'Adjustable' },
        },
      },
    ]);
  });

  test('changes only the columns that it has, and only what differs', () => {
    const { changed, same } = plan(`ID,Price,Stock\n${id.toUpperCase()},1599,\n`);
    expect(changed).toMatchObject([
      {
        id,
        changes: [{ label: 'Price', before: '₹1499', after: '₹1599' }],
        seen: { stock: 5, updatedAt: ring.updatedAt },
      },
    ]);
    expect(changed[0]?.product).toMatchObject({
      name: ring.name,
      stock: 5,
      images: ring.images,
      imageAlts: ring.imageAlts,
      attributes: ring.attributes,
    });
    expect(same).toBe(0);
    expect(plan(`ID,Price\n${id},"₹ 1,499.00"\n`)).toMatchObject({
      changed: [],
      same: 1,
      faults: [],
    });
  });

  test('marks a new product that has the name of another one', () => {
    expect(
      plan('Name,Price,Category\npalakka RING,10,rings\nNew,10,rings\nnew,10,rings\n').added.map(
        ({ namesake }) => namesake,
      ),
    ).toEqual([true, false, true]);
  });

  test('is refused as a whole when it is invalid', () =>
    eachRow(
      [
        ['', /empty/u],
        ['Name,Price\n', /only its first row/u],
        ['Name,name\na,b\n', /twice/u],
        ['Name\n"a', /never closed/u],
        [`Name\n${'a\n'.repeat(5_001)}`, /5,001 rows/u],
      ],
      ([given, message]) => {
        expect(() => readText(given)).toThrow(message);
      },
    ));
});

test('a fault shows the value of its cell, and suggests the intended category', () => {
  const { faults } = plan(
    `Name,Price,Category\na,abc,Bracelet\n,1,rings\n${'n'.repeat(201)},1,rings\n`,
  );
  expect(faults).toEqual([
    { row: 2, column: 'Category', message: 'Did you mean “Bracelets”?', found: 'Bracelet' },
    {
      row: 2,
      column: 'Price',
      found: 'abc',
      message: 'Price must be in rupees, with two decimals at most',
    },
    { row: 3, column: 'Name', message: 'Name is required' },
    {
      row: 4,
      column: 'Name',
      found: `${'n'.repeat(40)}…`,
      message: expect.any(String) as string,
    },
  ]);
});

test('a hidden ring that says no size is not brought into the shop by a file', () => {
  const hidden = adminProduct({ hidden: true });
  const file = `ID,In the shop\n${hidden.id},yes\n`;
  expect(plan(file, [hidden])).toMatchObject({ changed: [], faults: [{ row: 2, column: 'Size' }] });
  const sized = adminProduct({ hidden: true, attributes: { size: 'Adjustable' } });
  expect(plan(file, [sized])).toMatchObject({ changed: [{ row: 2 }], faults: [] });
});

test('every fault is reported with its row and column', () =>
  eachRow<[string, string[]]>(
    [
      [
        'Name,Price,Category,Offer price\n\na,"499,50",rings,\nb,10,rings,10\n',
        [
          '3 Price: Price must be in rupees, with two decimals at most',
          '4 Offer price: The offer must be below the price',
        ],
      ],
      [
        'Name,Price,Category,Stock,In the shop\na,1,rings,1.5,maybe\n',
        ['2 In the shop: Write “yes” or “no”', '2 Stock: Stock must be a whole number'],
      ],
      [
        `ID,Price\n${id},1\n${id},2\n`,
        ['3 ID: Row 2 has this ID already: a product can be in a file once'],
      ],
      [
        'Name,Price,Category\na,1,hats\n',
        ['2 Category: This is one of Rings, Necklaces, Bracelets, Earrings, Watches, Toe rings'],
      ],
      ['ID,Price\nring-1,1\n', ['2 ID: No product has this ID. Leave it empty for a new product']],
      [
        `ID,Price,Revision\n${id},1,today\n`,
        ['2 Revision: Leave this as it was exported, or empty'],
      ],
      [
        'Name,Price,Category\na\0,1,rings\n',
        ['2 Name: This cell contains a character that cannot be stored'],
      ],
    ],
    ([given, faults]) => {
      expect(faultsOf(given)).toEqual(faults);
    },
  ));

describe('changes in the shop after the export', () => {
  const file = (stock: string, price = '1499') =>
    `ID,Price,Stock,Revision\n${id},${price},${stock},${revision}\n`;

  test('is no fault where the file does not touch it: what was sold stays sold', () => {
    const sold = { ...ring, stock: 3 };
    expect(plan(file('5'), [sold])).toMatchObject({ same: 1, faults: [] });
    expect(plan(file('5', '999'), [sold]).changed).toMatchObject([
      { product: { price: 99_900, stock: 3 }, seen: { stock: 3 } },
    ]);
    expect(plan(file('5'), [{ ...ring, updatedAt: '2026-11-21T10:00:00+00:00' }])).toMatchObject({
      same: 1,
      faults: [],
    });
  });

  test('is known of each size, and a sum alone says nothing of sizes', () => {
    const bought: AdminProduct = {
      ...ring,
      stock: 4,
      sizes: [
        { size: '12', stock: 3 },
        { size: '14', stock: 1 },
      ],
    };
    const [head = [], row = []] = catalogueRows([bought]);
    const file = (changes: Record<string, string>): string =>
      csvText([head, row.map((cell, index) => changes[head[index] ?? ''] ?? cell)]);
    const sold: AdminProduct = {
      ...bought,
      stock: 3,
      sizes: [
        { size: '12', stock: 2 },
        { size: '14', stock: 1 },
      ],
    };
    expect(
      plan(file({ Name: 'Leaf ring' }), [sold]).changed.map(({ product }) => product),
    ).toMatchObject([{ name: 'Leaf ring', sizes: sold.sizes }]);
    expect(plan(file({ Sizes: '12: 9; 14: 1' }), [bought]).changed).toMatchObject([
      { product: { stock: 10 }, seen: { sizes: bought.sizes } },
    ]);
    expect(faultsOf(file({ Sizes: '12: 9; 14: 1' }), [sold])).toEqual([
      '2 Sizes: They were 12: 3; 14: 1 when the file was made and are 12: 2; 14: 1 now. Please write the stock that there is',
    ]);
    expect(faultsOf(file({ Stock: '20' }), [bought])).toEqual([
      '2 Stock: This product has sizes: write the stock of each under Sizes',
    ]);
    expect(faultsOf(file({ Sizes: '12, 14' }), [bought])).toEqual([
      '2 Sizes: Write each size with its stock, as “12: 3; 14: 1”',
    ]);
  });

  test('is a fault where the file would undo it', () => {
    expect(faultsOf(file('8'), [{ ...ring, stock: 3 }])).toEqual([
      '2 Stock: It was 5 when the file was made and is 3 now. Please write the stock that there is',
    ]);
    expect(
      faultsOf(file('5', '999'), [{ ...ring, updatedAt: '2026-11-21T10:00:00+00:00' }]),
    ).toEqual([expect.stringContaining('2 -: This product was changed in the shop')]);
    expect(faultsOf(file('5'), [{ ...ring, deletedAt: '2026-11-21T10:00:00+00:00' }])).toEqual([
      expect.stringContaining('2 ID: This product was deleted'),
    ]);
  });

  test('is asked for by the ids of the file, its names and the ids of its new rows', () => {
    expect(idsAndNames(readText(`ID,Name\n${id},Old\n,New\nnonsense,x\n,New\n`), newId)).toEqual({
      ids: [id, idOfRow(3), idOfRow(5)],
      names: ['New'],
    });
  });
});
