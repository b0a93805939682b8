import { describe, expect, test, vi } from 'vitest';
import { readFile } from '../../../../../tests/features/csv-file/read-file.ts';

vi.mock('../../../../shop/categories.ts', async () => ({
  categories: (await import('../../../../../tests/sample-categories.ts')).sampleCategories,
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
});
