import { describe, expect, test, vi } from 'vitest';
import { fileOf, readFile } from '../../../../../tests/features/csv-file/read-file.ts';

vi.mock('../../../../shop/categories.ts', async () => ({
  categories: (await import('../../../../../tests/sample-categories.ts')).sampleCategories,
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

describe('Etsy', () => {
  const listing = {
    TITLE: 'Bell Earrings &amp; Studs, Brass',
    DESCRIPTION: 'Light &quot;bells&quot;.',
    PRICE: '1299.00',
    CURRENCY_CODE: 'INR',
    QUANTITY: '4',
    MATERIALS: 'Brass,Enamel',
    IMAGE1: 'https://i.etsystatic.com/1.jpg',
    IMAGE2: '',
    'VARIATION 1 VALUES': '',
    'VARIATION 2 VALUES': '',
    SKU: '',
  };

  test('is read: the category is in the name, and the units of its choices are asked for', () => {
    const { source, plan, leftOut } = readFile(
      fileOf([
        listing,
        { ...listing, TITLE: 'Ring', 'VARIATION 1 VALUES': '12,14', 'VARIATION 2 VALUES': 'Gold' },
        { ...listing, TITLE: 'Abroad', CURRENCY_CODE: 'USD' },
      ]),
      { uncountedUnits: '2' },
    );
    expect(source).toBe('Etsy');
    expect(leftOut).toMatchObject([{ row: 4, why: 'Its price is in USD, not in rupees' }]);
    expect(plan.added).toMatchObject([
      {
        product: {
          name: 'Bell Earrings & Studs, Brass',
          description: 'Light "bells".',
          category: 'earrings',
          stock: 4,
          attributes: { metal: 'Brass, Enamel' },
        },
      },
      {
        product: {
          category: 'rings',
          sizes: [
            { size: '12 / Gold', stock: 2 },
            { size: '14 / Gold', stock: 2 },
          ],
        },
      },
    ]);
  });
});

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
