import { describe, expect, test, vi } from 'vitest';
import { fileOf, readFile } from '../../../../../tests/features/csv-file/read-file.ts';

vi.mock('../../../../shop/categories.ts', async () => ({
  categories: (await import('../../../../../tests/sample-categories.ts')).sampleCategories,
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
    ...{ ...simple, Type: 'variation', ID: `9${value}`, SKU: '', Parent: 'id:44', Stock: stock },
    ...{ 'Attribute 1 name': 'Size', 'Attribute 1 value(s)': value },
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
