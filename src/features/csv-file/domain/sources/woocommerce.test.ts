import { describe, expect, test, vi } from 'vitest';
import { fileOf, readFile } from '#tests/features/csv-file/read-file.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

describe('WooCommerce', () => {
  const simple = {
    ID: '46',
    Type: 'simple',
    SKU: 'bell',
    Name: 'Bell & Leaf Earrings',
    Published: '1',
    'Visibility in catalog': 'visible',
    Description: '<p>Light.</p>\\nTwo.',
    'In stock?': '1',
    Stock: '4',
    'Weight (kg)': '0.0042',
    'Sale price': '899',
    'Regular price': '999',
    Categories: 'Jewellery > Earrings, Sale',
    Images: 'https://old.example/a.jpg, https://old.example/b\\,c.jpg',
    Parent: '',
    'Attribute 1 name': '',
    'Attribute 1 value(s)': '',
  };
  const variable = { ...simple, ID: '44', SKU: '', Type: 'variable', Stock: '' };
  const size = (value: string, stock: string) => ({
    ...simple,
    Type: 'variation',
    ID: `9${value}`,
    SKU: '',
    Parent: 'id:44',
    Stock: stock,
    'Attribute 1 name': 'Size',
    'Attribute 1 value(s)': value,
  });

  test('is read: variations are sizes, lists have commas, weights are grams, and a slug is that of the name', () => {
    const { source, plan } = readFile(
      fileOf([simple, { ...variable, Name: 'Ring' }, size('12', '2'), size('14', 'parent')]),
    );
    expect(source).toBe('WooCommerce');
    expect(plan.faults).toEqual([]);
    expect(plan.added).toMatchObject([
      {
        id: '46',
        oldAddresses: ['/product/bell-leaf-earrings'],
        product: {
          description: 'Light.\nTwo.',
          category: 'earrings',
          price: 99_900,
          offerPrice: 89_900,
          stock: 4,
          images: ['https://old.example/a.jpg', 'https://old.example/b,c.jpg'],
          attributes: { weight_g: 4.2 },
        },
      },
      {
        id: '44',
        product: {
          sizes: [
            { size: '12', stock: 2 },
            { size: '14', stock: 0 },
          ],
        },
      },
    ]);
  });

  const stockOf = (rows: readonly Readonly<Record<string, string>>[]): number[] =>
    readFile(fileOf(rows)).plan.added.map(({ product }) => product.stock);

  test('a variation that is switched off is not sold, and those of a draft are', () => {
    expect(stockOf([variable, size('12', '2'), { ...size('14', '5'), Published: '0' }])).toEqual([
      2,
    ]);
    const draft = { Published: '-1' };
    expect(
      stockOf([
        { ...variable, ...draft },
        { ...size('12', '2'), ...draft },
      ]),
    ).toEqual([2]);
  });

  test('each variation whose product is not in the file is left out by name', () => {
    const names = ['Ring - 12', 'Ring - 14'];
    const { plan, leftOut } = readFile(
      fileOf([simple, ...names.map((Name) => ({ ...size(Name.slice(-2), '2'), Name }))]),
    );
    expect(plan.added).toHaveLength(1);
    const why = 'The row of its product is not in this file: export both together';
    expect(leftOut).toMatchObject(names.map((name) => ({ name, why })));
  });

  test('a product whose variations are all switched off is left out by name', () => {
    const off = { ...size('12', '2'), Published: '0' };
    const { plan, leftOut } = readFile(fileOf([{ ...variable, Name: 'Ring' }, off]));
    expect([plan.faults, plan.added]).toEqual([[], []]);
    expect(leftOut).toMatchObject([
      { name: 'Ring', why: 'None of its variations in this file is for sale' },
    ]);
  });

  test('a variation for any value is asked about, and not lost', () => {
    expect(readFile(fileOf([variable, size('', '2'), size('14', '5')])).plan.faults).toMatchObject([
      { column: 'Sizes' },
    ]);
  });

  test('a sale counts from its first day to its last in India, and days that cannot be read are a fault', () => {
    // In UTC it is 30 November.
    const now = new Date('2026-12-01T00:10:00+05:30');
    const charged = (starts: string, ends: string): unknown => {
      const row = { ...simple, 'Date sale price starts': starts, 'Date sale price ends': ends };
      const { plan } = readFile(fileOf([row]), {}, now);
      return (
        plan.faults[0]?.column ??
        plan.added.map(({ product }) => product.offerPrice ?? product.price)[0]
      );
    };
    for (const [starts, ends] of [
      ['2026-12-02', ''],
      ['2026-12-01 1:00:00', ''],
      ['', '2026-11-30'],
      ['', '2026-11-30 23:59:59'],
    ] as const)
      expect(charged(starts, ends)).toBe(99_900);
    for (const [starts, ends] of [
      ['2026-12-01', '2026-12-01'],
      ['2026-12-01 0:00:00', '2026-12-31 23:59:59'],
    ] as const)
      expect(charged(starts, ends)).toBe(89_900);
    for (const ends of ['31/12/2020', '01-12-2026', 'soon'])
      expect(charged('', ends)).toBe('Offer price');
  });

  test('leaves out what no parcel holds, and hides what is no longer published', () => {
    const { plan, leftOut } = readFile(
      fileOf([
        { ...simple, Type: 'simple, virtual' },
        { ...simple, ID: '1', Type: 'external' },
        { ...simple, ID: '2', Type: 'grouped' },
        { ...simple, ID: '3', Published: '-1' },
        { ...simple, ID: '4', 'Visibility in catalog': 'hidden' },
        { ...simple, ID: '5', Stock: '', 'In stock?': '0' },
      ]),
    );
    expect(leftOut.map(({ row }) => row)).toEqual([2, 3, 4]);
    expect(plan.added.map(({ id, product }) => [id, product.hidden, product.stock])).toEqual([
      ['3', true, 4],
      ['4', true, 4],
      ['5', false, 0],
    ]);
  });
});
