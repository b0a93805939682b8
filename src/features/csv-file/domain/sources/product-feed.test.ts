import { describe, expect, test, vi } from 'vitest';
import { fileOf, readFile } from '#tests/features/csv-file/read-file.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

describe('a catalogue of Meta or Google', () => {
  test('is read with tabs, comments above it and variants by their group', () => {
    const item = (id: string, size: string, quantity: string) =>
      [
        id,
        'Leaf ring',
        'in stock',
        '1499.00 INR',
        '1299.00 INR',
        'https://old.example/products/leaf-ring?v=1',
        'https://old.example/1.jpg',
        'https://old.example/2.jpg,https://old.example/3.jpg',
        'g1',
        size,
        'Home > Rings',
        quantity,
      ].join('\t');
    const { source, plan } = readFile(
      [
        '# ref_application_id 1',
        'id\ttitle\tavailability\tprice\tsale_price\tlink\timage_link\tadditional_image_link\titem_group_id\tsize\tproduct_type\tquantity_to_sell_on_facebook',
        item('a', '12', '3'),
        item('b', '14', '1'),
      ].join('\n'),
    );
    expect(source).toBe('a catalogue of Meta or Google');
    expect(plan.added).toMatchObject([
      {
        row: 3,
        id: 'g1',
        oldAddresses: ['/products/leaf-ring'],
        product: {
          category: 'rings',
          price: 149_900,
          offerPrice: 129_900,
          images: [1, 2, 3].map((at) => `https://old.example/${String(at)}.jpg`),
          sizes: [
            { size: '12', stock: 3 },
            { size: '14', stock: 1 },
          ],
        },
      },
    ]);
  });

  const single = {
    id: 'a',
    title: 'Leaf earrings',
    price: '999 INR',
    sale_price: '',
    availability: 'in stock',
    link: 'https://o.example/p/a',
    image_link: 'https://o.example/a.jpg',
    item_group_id: '',
    size: '',
    material: '',
    product_type: 'Earrings',
    quantity_to_sell_on_facebook: '',
    quantity: '7',
    sale_price_effective_date: '',
  };

  test('a blank cell does not hide the other column of the same fact', () => {
    const { plan } = readFile(
      fileOf([single, { ...single, id: 'b', item_group_id: 'g', size: '12', quantity: '2' }]),
    );
    expect(plan.added.map(({ id, product }) => [id, product.stock])).toEqual([
      ['a', 7],
      ['g', 2],
    ]);
  });

  test('rows of one group that differ in what is no size are asked about, and not lost', () => {
    const variant = { ...single, item_group_id: 'g', material: 'Gold' };
    expect(
      readFile(fileOf([variant, { ...variant, id: 'b', material: 'Silver' }])).plan.faults,
    ).toMatchObject([{ column: 'Sizes' }]);
  });

  test('a sale is an offer between its two moments, and moments that cannot be read are a fault', () => {
    const offer = (moments: string): unknown => {
      const sale = { ...single, sale_price: '99 INR', sale_price_effective_date: moments };
      const { plan } = readFile(fileOf([sale]), {}, new Date('2026-12-01T00:10:00+05:30'));
      return plan.faults[0]?.column ?? plan.added[0]?.product.offerPrice;
    };
    expect(offer('2020-01-01T00:00Z/2020-02-01T00:00Z')).toBe(null);
    expect(offer('2026-11-30T10:45-0800/2026-12-05T00:00-0800')).toBe(null);
    expect(offer('2026-11-30T10:35-0800/2026-12-05T00:00-0800')).toBe(9_900);
    expect(offer('2026-12-01T00:00+05:30/2026-12-05T00:00+05:30')).toBe(9_900);
    expect(offer('')).toBe(9_900);
    expect(offer('1 Dec 2026/5 Dec 2026')).toBe('Offer price');
  });
});
