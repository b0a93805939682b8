import { describe, expect, test, vi } from 'vitest';
import { fileOf, readFile } from '#tests/features/csv-file/read-file.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

describe('Shopify', () => {
  const leaf = {
    Handle: 'leaf-ring',
    Title: 'Leaf Ring',
    'Body (HTML)': '<p>Green &amp; gold.</p>\n<ul><li>Brass</li></ul><script>x()</script>',
    Type: 'Rings',
    Published: 'TRUE',
    'Option1 Name': 'Size',
    'Option1 Value': '12',
    'Variant Inventory Tracker': 'shopify',
    'Variant Inventory Qty': '3',
    'Variant Price': '1299.00',
    'Variant Compare At Price': '1499.00',
    'Variant Grams': '4',
    'Image Src': 'http://cdn.example/2.jpg',
    'Image Position': '2',
    Status: 'active',
  };

  test('is read with the headings of before: rows of one handle are one product, the higher price is the price', () => {
    const { source, plan } = readFile(
      fileOf([
        leaf,
        {
          Handle: 'leaf-ring',
          'Option1 Value': '14',
          'Variant Price': '1299.00',
          'Variant Compare At Price': '1499.00',
          'Variant Inventory Tracker': 'shopify',
          'Variant Inventory Qty': '-1',
          'Image Src': 'https://cdn.example/1.jpg',
          'Image Position': '1',
        },
      ]),
    );
    expect(source).toBe('Shopify');
    expect(plan.added).toMatchObject([
      {
        id: 'leaf-ring',
        oldAddresses: ['/products/leaf-ring'],
        product: {
          name: 'Leaf Ring',
          description: 'Green & gold.\n\n• Brass',
          category: 'rings',
          price: 149_900,
          offerPrice: 129_900,
          sizes: [
            { size: '12', stock: 3 },
            { size: '14', stock: 0 },
          ],
          hidden: false,
          images: ['https://cdn.example/1.jpg', 'https://cdn.example/2.jpg'],
          attributes: { weight_g: 4 },
        },
      },
    ]);
  });

  test('what was charged before is no price when it is not higher', () => {
    const { plan } = readFile(fileOf([{ ...leaf, 'Variant Compare At Price': '999.00' }]));
    expect(plan.added).toMatchObject([{ product: { price: 129_900, offerPrice: null } }]);
  });

  test('a variant without a price is named, and not lost', () => {
    const { plan } = readFile(
      fileOf([leaf, { ...leaf, 'Option1 Value': '14', 'Variant Price': '' }]),
    );
    expect([plan.added, plan.faults]).toMatchObject([[], [{ row: 2, column: 'Price' }]]);
  });

  test('leaves gift cards out, hides drafts, asks for the units that it does not count, and refuses two prices', () => {
    const plain = { ...leaf, 'Option1 Value': 'Default Title' };
    const { plan, leftOut } = readFile(
      fileOf([
        { ...plain, Handle: 'gift', 'Gift Card': 'true' },
        { ...plain, Handle: 'draft', Status: 'draft' },
        { ...plain, Handle: 'free', 'Variant Inventory Tracker': '', 'Variant Inventory Qty': '0' },
        { ...leaf, Handle: 'dear' },
        { ...leaf, Handle: 'dear', 'Option1 Value': '14', 'Variant Price': '1399' },
      ]),
      { uncountedUnits: '7' },
    );
    expect(leftOut).toEqual([{ row: 2, name: 'Leaf Ring', why: 'This is a gift card' }]);
    expect(plan.added.map(({ id, product }) => [id, product.hidden, product.stock])).toEqual([
      ['draft', true, 3],
      ['free', false, 7],
    ]);
    expect(plan.faults).toMatchObject([{ row: 5, column: 'Price' }]);
  });
});
