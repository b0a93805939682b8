import { expect, test, vi } from 'vitest';
import { fileOf, readFile } from '#tests/features/csv-file/read-file.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

test('the older file of Wix is read: surcharge, discount, stock in words, and pictures by their names', () => {
  const product = {
    handleId: 'product_1',
    fieldType: 'Product',
    name: 'Rope ring',
    description: '<p>Twisted</p>',
    productImageUrl: 'a1_mv2.jpg;https://x.example/b.jpg',
    collection: 'Rings;Sale',
    price: '1000',
    surcharge: '',
    visible: 'true',
    discountMode: 'PERCENT',
    discountValue: '10.0',
    inventory: 'InStock',
    weight: '0.0',
    productOptionName1: 'Size',
    productOptionDescription1: '12;14',
  };
  const variant = { ...product, fieldType: 'Variant', name: '', price: '', productImageUrl: '' };
  const text = fileOf([
    product,
    { ...variant, surcharge: '0.0', inventory: '3', productOptionDescription1: '12' },
    {
      ...variant,
      surcharge: '0.0',
      inventory: 'OutOfStock',
      productOptionDescription1: '#aa0:Red',
    },
    {
      ...product,
      handleId: 'product_2',
      name: 'Chain',
      collection: 'Necklaces',
      discountValue: '0',
      visible: 'false',
    },
  ]);
  const { source, plan, unread } = readFile(text, { uncountedUnits: '5' });
  expect([source, plan.faults]).toEqual(['Wix', []]);
  expect(plan.added).toMatchObject([
    {
      id: 'product_1',
      product: {
        name: 'Rope ring',
        category: 'rings',
        price: 100_000,
        offerPrice: 90_000,
        sizes: [
          { size: '12', stock: 3 },
          { size: 'Red', stock: 0 },
        ],
        images: ['https://static.wixstatic.com/media/a1_mv2.jpg', 'https://x.example/b.jpg'],
      },
    },
    { product: { name: 'Chain', price: 100_000, offerPrice: null, stock: 5, hidden: true } },
  ]);
  expect(unread.map(({ column }) => column)).toEqual(['weight', 'productOptionName1']);
});

test('the newer file of Wix is read: a price for each variant, and rows for pictures', () => {
  const row = {
    handle: 'chain',
    fieldType: 'PRODUCT',
    name: '',
    visible: '',
    media: '',
    price: '',
  };
  const text = fileOf([
    {
      ...row,
      name: 'Chain',
      visible: 'true',
      media: 'a.jpg',
      strikethroughPrice: '',
      inventory: '',
    },
    {
      ...row,
      fieldType: 'VARIANT',
      price: '900',
      strikethroughPrice: '1000',
      inventory: 'IN_STOCK',
      productOptionChoices1: '40 cm',
    },
    {
      ...row,
      fieldType: 'VARIANT',
      price: '900',
      strikethroughPrice: '1000',
      inventory: '2',
      productOptionChoices1: '45 cm',
    },
    { ...row, fieldType: 'MEDIA', media: 'b.jpg' },
  ]);
  const categories = new Map([['', 'necklaces']]);
  const { plan } = readFile(text, { categories, uncountedUnits: '1' });
  expect(plan.added).toMatchObject([
    {
      product: {
        price: 100_000,
        offerPrice: 90_000,
        sizes: [
          { size: '40 cm', stock: 1 },
          { size: '45 cm', stock: 2 },
        ],
        images: [
          'https://static.wixstatic.com/media/a.jpg',
          'https://static.wixstatic.com/media/b.jpg',
        ],
      },
    },
  ]);
});
