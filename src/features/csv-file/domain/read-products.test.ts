import { describe, expect, test, vi } from 'vitest';
import { fileOf, readFile } from '#tests/features/csv-file/read-file.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

describe('what another shop did not mean for this one', () => {
  const feed = (fields: Record<string, string>) =>
    readFile(
      fileOf([
        {
          id: 'a',
          title: 'Leaf Ring',
          availability: 'in stock',
          price: '1499.00 INR',
          link: 'https://old.example/products/leaf-ring',
          image_link: 'https://old.example/1.jpg',
          product_type: 'Rings',
          inventory: '3',
          ...fields,
        },
      ]),
    );

  test.each([
    ['active', 'published', false],
    ['', '', false],
    ['active', 'staging', true],
    ['archived', 'published', true],
    ['active', 'a word of next year', true],
  ])('a product of status “%s” and visibility “%s” is hidden: %s', (status, visibility, hidden) => {
    expect(feed({ status, visibility }).plan.added).toMatchObject([{ product: { hidden } }]);
  });

  test('an old address is kept as it is looked up, and one that no page can have is not kept', () => {
    const pathOf = (link: string) => feed({ link }).plan.added[0]?.oldAddresses;
    expect(pathOf('https://old.example/product/%E0%B4%AE%E0%B4%BE%E0%B4%B2/')).toEqual([
      '/product/മാല',
    ]);
    for (const link of ['https://old.example/a%20b', 'https://old.example/a%zz', 'leaf', ''])
      expect(pathOf(link), link).toEqual([]);
    expect(pathOf(`https://old.example/${'a'.repeat(500)}`)).toEqual([]);
  });

  test('the size of rings that say none is asked for once, and given to those alone', () => {
    const text = fileOf([
      { ID: '', Name: 'Leaf Ring', Price: '499', Category: 'Rings' },
      { ID: '', Name: 'Rope Ring', Price: '499', Category: 'Rings', Sizes: '12: 3' },
      { ID: '', Name: 'Bud Ring', Price: '499', Category: 'Rings', Size: 'One size: 14' },
      { ID: '', Name: 'Chain', Price: '499', Category: 'Necklaces' },
    ]);
    const open = readFile(text, { sizes: new Map() });
    expect([...open.plan.unsized]).toEqual([['rings', 1]]);
    expect([open.plan.waiting, open.plan.added.length]).toEqual([1, 3]);
    const { plan } = readFile(text, { sizes: new Map([['rings', 'Adjustable']]) });
    expect([plan.faults, plan.waiting]).toEqual([[], 0]);
    expect(plan.added.map(({ product }) => product.attributes.size)).toEqual([
      'Adjustable',
      undefined,
      'One size: 14',
      undefined,
    ]);
  });

  test('images beyond those that a product has here are counted', () => {
    const further = {
      additional_image_link: ['2', '3', '4', '5']
        .map((at) => `https://old.example/${at}.jpg`)
        .join(','),
    };
    expect(feed(further).furtherImages).toBe(2);
    expect(feed({}).furtherImages).toBe(0);
  });
});

describe('a list of somebody’s own', () => {
  test('is read by what its columns are called', () => {
    const { source, plan } = readFile(
      'Product Name,Product category,MRP,Selling price,Qty,Details,Supplier\nOwn,Rings,1499,1299,5,A ring,x\n',
    );
    expect(source).toBeNull();
    expect(plan.added).toMatchObject([
      {
        id: 'Own 1',
        product: { name: 'Own', category: 'rings', price: 149_900, offerPrice: 129_900, stock: 5 },
      },
    ]);
  });

  test('has one product in several rows when a column says so', () => {
    const { plan } = readFile(
      'Handle,Name,Category,Option1 Value,Stock,Price,Picture 1\na,Ring,Rings,12,3,1499,https://x.example/a.jpg\na,Ring,Rings,14,1,1499,https://x.example/b.jpg\n',
    );
    expect(plan.added).toMatchObject([
      {
        product: {
          sizes: [
            { size: '12', stock: 3 },
            { size: '14', stock: 1 },
          ],
          images: ['https://x.example/a.jpg', 'https://x.example/b.jpg'],
        },
      },
    ]);
  });

  test('reads amounts as the form does, in whatever spelling, and which of two prices is charged', () => {
    const row = { Product: 'A', Category: 'Necklaces', Qty: '2' };
    const prices = (MRP: string, selling: string): unknown => {
      const { plan } = readFile(fileOf([{ ...row, MRP, 'Selling price': selling }]));
      return (
        plan.faults[0]?.column ??
        plan.added.map(({ product: { price, offerPrice } }) => [price, offerPrice])[0]
      );
    };
    expect(prices('Rs. 1,000', 'Rs. 100')).toEqual([100_000, 10_000]);
    expect(prices('Rs. 10,000', '₹1,500.00')).toEqual([1_000_000, 150_000]);
    expect(prices('1000', 'Rs. 1,000.00')).toEqual([100_000, null]);
    expect(prices('900', '1000')).toEqual([100_000, 90_000]);
    expect(prices('1.299,00', '999')).toBe('Price');
  });

  test('rows of one design are one product by their sizes, and the same amounts in other spellings are one price', () => {
    const row = { 'Design No': 'D1', 'Product Name': 'Leaf ring', Category: 'Rings' };
    const rows = [
      { ...row, Size: '12', MRP: 'Rs. 1,499.00', Qty: '3' },
      { ...row, Size: '14', MRP: '1499', Qty: '2' },
    ];
    expect(readFile(fileOf(rows)).plan).toMatchObject({
      faults: [],
      added: [{ product: { price: 149_900, stock: 5, sizes: [{ size: '12' }, { size: '14' }] } }],
    });
    expect(
      readFile(fileOf([...rows, { ...row, Size: '15', MRP: 'Rs. 9,999', Qty: '1' }])).plan.faults,
    ).toMatchObject([{ column: 'Price' }]);
    expect(readFile(fileOf(rows.map((one) => ({ ...one, Size: '' })))).plan.faults).toMatchObject([
      { column: 'Sizes' },
    ]);
  });

  test('sizes with their stock in one cell stay so beside the number of a design', () => {
    const row = { 'Style No': 'D1', Product: 'Leaf ring', Category: 'Rings', Price: '1499' };
    expect(readFile(fileOf([{ ...row, Sizes: '12: 3; 14: 1', Shelf: 'x' }])).plan).toMatchObject({
      faults: [],
      added: [{ product: { sizes: [{ size: '12' }, { size: '14' }] } }],
    });
  });

  test('has its sizes read or refused, and never passed over', () => {
    const sizes = (text: string): unknown => {
      const { plan } = readFile(
        fileOf([{ Product: 'A', Category: 'Rings', Price: '100', Sizes: text, Shelf: 'x' }]),
      );
      return plan.faults[0]?.column ?? plan.added[0]?.product.sizes;
    };
    const both = [
      { size: '12', stock: 3 },
      { size: '14', stock: 1 },
    ];
    for (const text of ['12: 3; 14: 1', '12 - 3, 14 - 1', '12 x 3; 14 x 1'])
      expect(sizes(text)).toEqual(both);
    expect(sizes('12, 14')).toBe('Sizes');
  });

  test('asks once for each category that the shop lacks, and leaves out what is said to be left out', () => {
    const text = 'Title,Type,Price,Units\nA,Hats,10,1\nB,Hats,10,1\nC,Belts,10,1\n';
    expect(readFile(text)).toMatchObject({
      unknown: [
        { name: 'Hats', count: 2 },
        { name: 'Belts', count: 1 },
      ],
      open: 3,
      plan: { added: [], faults: [] },
    });
    const { leftOut, plan, open } = readFile(text, {
      categories: new Map([
        ['Hats', null],
        ['Belts', 'watches'],
      ]),
    });
    expect([
      leftOut.map(({ name }) => name),
      plan.added.map(({ product }) => product.category),
      open,
    ]).toEqual([['A', 'B'], ['watches'], 0]);
  });
});
