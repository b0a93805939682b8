import { expect, test, vi } from 'vitest';
import { fileOf, readFile } from '#tests/features/csv-file/read-file.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

const simple = {
  sku: 'LEAF',
  store_view_code: '',
  product_type: 'simple',
  categories: 'Default Category/Jewellery,Default Category/Jewellery/Rings',
  name: 'Leaf ring',
  description: '<p>Green &amp; gold</p>',
  product_online: '1',
  visibility: 'Catalog, Search',
  price: '1299.0000',
  special_price: '',
  url_key: 'leaf-ring',
  base_image: '/l/e/leaf.jpg',
  additional_images: '/l/e/leaf.jpg,/l/e/leaf-2.jpg',
  country_of_manufacture: 'India',
  qty: '3.0000',
  is_in_stock: '1',
  manage_stock: '1',
  configurable_variations: '',
};
const variant = (size: string, more: Partial<typeof simple>) => ({
  ...simple,
  sku: `ROPE-${size}`,
  name: `Rope ring ${size}`,
  visibility: 'Not Visible Individually',
  base_image: '',
  additional_images: '',
  ...more,
});
const rope = {
  ...simple,
  sku: 'ROPE',
  product_type: 'configurable',
  name: 'Rope ring',
  price: '',
  qty: '0.0000',
  base_image: '',
  additional_images: '',
  configurable_variations: 'sku=ROPE-12,size=12|sku=ROPE-14,size=14|sku=ROPE-16,size=16',
};

test('a file of Magento is read: variants are sizes, and pictures wait for the address of the old shop', () => {
  const text = fileOf([
    variant('12', { qty: '2.0000', special_price: '999.00' }),
    variant('14', { qty: '5.0000', is_in_stock: '0', special_price: '999.00' }),
    rope,
    simple,
    { ...simple, store_view_code: 'hindi', name: 'पत्ती' },
    { ...simple, sku: 'SET', product_type: 'bundle' },
  ]);
  const first = readFile(text);
  expect(first).toMatchObject({ source: 'Magento', open: 1 });
  const imagesFrom = 'https://old.example/media/catalog/product/';
  const { plan, leftOut, unplaced } = readFile(text, { imagesFrom });
  expect(plan.faults).toEqual([]);
  expect(leftOut).toMatchObject([
    { name: 'Leaf ring', why: 'This is put together of other products' },
  ]);
  expect(plan.added).toMatchObject([
    {
      product: {
        name: 'Rope ring',
        price: 129_900,
        offerPrice: 99_900,
        category: 'rings',
        sizes: [
          { size: '12', stock: 2 },
          { size: '14', stock: 0 },
        ],
      },
    },
    {
      oldAddresses: ['/leaf-ring.html', '/leaf-ring'],
      product: {
        name: 'Leaf ring',
        description: 'Green & gold',
        stock: 3,
        attributes: { origin: 'India' },
        images: [
          'https://old.example/media/catalog/product/l/e/leaf.jpg',
          'https://old.example/media/catalog/product/l/e/leaf-2.jpg',
        ],
      },
    },
  ]);
  expect(unplaced).toEqual([
    {
      column: 'configurable_variations',
      why: 'The row of this variant is not in the file',
      count: 1,
    },
    { column: 'store_view_code', why: 'A text of another store view', count: 1 },
  ]);
});

test('its pictures can be left out, and are counted', () => {
  const { plan, unplaced } = readFile(fileOf([simple]), { imagesFrom: '' });
  expect(plan.added).toMatchObject([{ product: { images: [] } }]);
  expect(unplaced).toMatchObject([{ column: 'Pictures', count: 2 }]);
});

test('a product that it does not count is asked for', () => {
  const uncounted = fileOf([
    { ...simple, manage_stock: '0', base_image: '', additional_images: '' },
  ]);
  expect(readFile(uncounted, { uncountedUnits: '' }).open).toBe(1);
  expect(readFile(uncounted, { uncountedUnits: '4' }).plan.added[0]?.product.stock).toBe(4);
});
