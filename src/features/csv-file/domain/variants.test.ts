import { describe, expect, test, vi } from 'vitest';
import { fileOf, readFile } from '#tests/features/csv-file/read-file.ts';
import { maxSizes } from '#domain/catalogue/sizes.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

const shopify = (...rows: readonly Readonly<Record<string, string>>[]): string =>
  fileOf(
    rows.map((row, at) => ({
      Handle: 'chain',
      Title: at === 0 ? 'Chain' : '',
      Type: at === 0 ? 'Necklaces' : '',
      'Variant Price': '700',
      'Option1 Value': '',
      'Option2 Value': '',
      'Variant Inventory Tracker': 'shopify',
      'Variant Inventory Qty': '1',
      ...row,
    })),
  );
const feed = (...rows: readonly Readonly<Record<string, string>>[]): string =>
  fileOf(
    rows.map((row, at) => ({
      id: `a-${String(at)}`,
      item_group_id: 'a',
      title: 'Ring',
      price: '1499.00 INR',
      link: 'https://old.example/product-page/a',
      image_link: 'https://old.example/1.jpg',
      product_type: 'Rings',
      quantity: '',
      ...row,
    })),
  );
const wooCommerce = (...rows: readonly Readonly<Record<string, string>>[]): string =>
  fileOf([
    { ...variation, ID: '1', Type: 'variable', Name: 'Ring', Categories: 'Rings', Parent: '' },
    ...rows.map((row, at) => ({ ...variation, ID: String(at + 2), ...row })),
  ]);
const variation = {
  ID: '',
  Type: 'variation',
  SKU: '',
  Name: 'Ring',
  Published: '1',
  'Regular price': '100',
  Categories: '',
  Stock: '',
  'In stock?': '1',
  Parent: 'id:1',
  'Attribute 1 value(s)': '',
};

describe('a size that is in stock and not counted is asked for, and one that is out has nought', () => {
  test.each([
    [
      'Shopify',
      shopify(
        { 'Option1 Value': '12', 'Variant Inventory Tracker': '', 'Variant Inventory Qty': '0' },
        { 'Option1 Value': '14', 'Variant Inventory Qty': '0' },
      ),
    ],
    [
      'Meta or Google',
      feed({ size: '12', availability: 'in stock' }, { size: '14', availability: 'out_of_stock' }),
    ],
    [
      'WooCommerce',
      wooCommerce(
        { 'Attribute 1 value(s)': '12' },
        { 'Attribute 1 value(s)': '14', 'In stock?': '0' },
      ),
    ],
  ])('in a file of %s', (_, text) => {
    expect(readFile(text, { uncountedUnits: '' })).toMatchObject({ open: 1, plan: { added: [] } });
    expect(readFile(text, { uncountedUnits: '6' }).plan.added).toMatchObject([
      {
        product: {
          sizes: [
            { size: '12', stock: 6 },
            { size: '14', stock: 0 },
          ],
        },
      },
    ]);
  });

  test('a feed that says nothing of stock does not say that there is none', () => {
    expect(readFile(feed({ availability: '' }), { uncountedUnits: '' }).open).toBe(1);
  });
});

describe('variants with several prices', () => {
  const metals = shopify(
    { 'Option1 Value': '14k White Gold', 'Option2 Value': '15 inch', 'Variant Price': '695' },
    { 'Option1 Value': '14k White Gold', 'Option2 Value': '18 inch', 'Variant Price': '695.00' },
    { 'Option1 Value': '14k Yellow Gold', 'Option2 Value': '15 inch', 'Variant Price': '795' },
  );

  test('are refused as one product, and come in as one for each value of what decides the price', () => {
    expect(readFile(metals).plan.faults).toMatchObject([{ column: 'Price' }]);
    const { plan } = readFile(metals, { isSplit: true });
    expect(plan.faults).toEqual([]);
    expect(plan.added).toMatchObject([
      {
        id: 'chain\n14k White Gold',
        oldAddresses: ['/products/chain'],
        product: {
          name: 'Chain, 14k White Gold',
          price: 69_500,
          sizes: [{ size: '15 inch' }, { size: '18 inch' }],
        },
      },
      {
        oldAddresses: [],
        product: { name: 'Chain, 14k Yellow Gold', price: 79_500, sizes: [{ size: '15 inch' }] },
      },
    ]);
  });

  test('come in by all their options together when no single one decides', () => {
    const crossed = shopify(
      { 'Option1 Value': 'Gold', 'Option2 Value': '15', 'Variant Price': '1' },
      { 'Option1 Value': 'Gold', 'Option2 Value': '18', 'Variant Price': '2' },
      { 'Option1 Value': 'Brass', 'Option2 Value': '15', 'Variant Price': '2' },
    );
    expect(
      readFile(crossed, { isSplit: true }).plan.added.map(({ product }) => product.name),
    ).toEqual(['Chain, Gold / 15', 'Chain, Gold / 18', 'Chain, Brass / 15']);
  });

  test('leave a product with one price as it is', () => {
    const one = shopify({ 'Option1 Value': '12' }, { 'Option1 Value': '14' });
    expect(readFile(one, { isSplit: true }).plan).toEqual(readFile(one).plan);
  });

  test('beyond the sizes that a product has become several products, too', () => {
    const many = shopify(
      ...Array.from({ length: maxSizes + 1 }, (_, at) => ({
        'Option1 Value': at % 2 === 0 ? 'Gold' : 'Silver',
        'Option2 Value': String(at),
      })),
    );
    expect(readFile(many).plan.faults).toMatchObject([{ column: 'Sizes' }]);
    expect(readFile(many, { isSplit: true }).plan.added.map(({ product }) => product.name)).toEqual(
      ['Chain, Gold', 'Chain, Silver'],
    );
  });
});

test('rows that name no product are left out by name, in files of every shop', () => {
  const why = (text: string): unknown => readFile(text, { imagesFrom: '' }).leftOut;
  expect(why(shopify({}, { Handle: '', 'Variant Price': '5' }))).toMatchObject([
    { row: 3, why: 'This row says no “URL handle”, so it belongs to no product' },
  ]);
  expect(why(feed({}, { id: '', item_group_id: '' }))).toMatchObject([{ row: 3 }]);
  const magento = {
    sku: '',
    product_type: 'simple',
    categories: 'Rings',
    name: 'Ring',
    price: '1',
  };
  expect(why(fileOf([magento]))).toMatchObject([{ row: 2 }]);
  const wix = { handleId: '', fieldType: 'Product', name: 'Ring', visible: 'true' };
  expect(why(fileOf([wix]))).toMatchObject([{ row: 2 }]);
});

describe('what a known shop says and this one has no place for', () => {
  test('is listed by its column, and nothing else is', () => {
    const { unread } = readFile(
      shopify({ Tags: 'silver, bridal', 'Variant SKU': 'C-1', Vendor: '' }),
    );
    expect(unread).toEqual([
      { column: 'Tags', count: 1, samples: ['silver, bridal'] },
      { column: 'Variant SKU', count: 1, samples: ['C-1'] },
    ]);
  });

  test('is no HSN code: that is read from a column of any shop’s making, or counted', () => {
    const heading = 'HSN code (product.metafields.custom.hsn)';
    const hsn = (text: string) => readFile(shopify({ [heading]: text }));
    expect(hsn('71171910').plan.added[0]?.product.attributes.hsn).toBe('71171910');
    expect(hsn('n/a').unplaced).toEqual([
      { column: heading, why: 'An HSN code has 4, 6 or 8 digits', count: 1 },
    ]);
    const woo = wooCommerce({ 'Attribute 1 value(s)': '12', 'Meta: hsn_code': '7117' });
    expect(readFile(woo).plan.added[0]?.product.attributes.hsn).toBe('7117');
  });

  test('is an attribute of a product without variations', () => {
    const simple = {
      Type: 'simple',
      Parent: '',
      Categories: 'Rings',
      'Attribute 1 value(s)': 'Red',
    };
    const { unplaced } = readFile(
      wooCommerce({ 'Attribute 1 value(s)': '12' }, { ...simple, Name: 'Band' }),
    );
    expect(unplaced).toMatchObject([{ column: 'Attribute 1 value(s)', count: 1 }]);
  });

  test('an address without https is one', () => {
    const { plan } = readFile(shopify({ 'Image Src': '//cdn.example/a.jpg' }));
    expect(plan.added[0]?.product.images).toEqual(['https://cdn.example/a.jpg']);
  });
});
