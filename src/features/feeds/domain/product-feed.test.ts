import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  builtItems,
  feedNetworks,
  productFeed,
  stockFeed,
  type FeedProduct,
} from './product-feed.ts';
import { productFromRow } from '#domain/catalogue/product-row.ts';
import { categories } from '#domain/catalogue/category.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

const id = '0f0e0d0c-0b0a-4908-8706-050403020100';
const images = ['https://shop.example/a.jpg', 'https://shop.example/b.jpg?w=1080&q=75'];
const feedProduct = (changes: Record<string, unknown> = {}): FeedProduct => ({
  ...productFromRow({
    id,
    name: 'Palakka Ring',
    description: 'Green glass, set by hand.',
    category: 'rings',
    price: 1499,
    stock: 2,
    ...changes,
  }),
  address: `https://shop.example/product/${id}`,
  imageAddresses: images,
});

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** The items of a feed: each element's texts by its name. Throws when a text holds what XML forbids. */
function itemsIn(xml: string): Record<string, string[]>[] {
  return [...xml.matchAll(/^<item>(.*?)<\/item>$/gmsu)].map(([, item = '']) => {
    const found: Record<string, string[]> = {};
    let rest = item;
    for (const [element, name = '', text = ''] of item.matchAll(/<g:([a-z_]+)>([^<]*)<\/g:\1>/gu)) {
      expect(text).not.toMatch(/&(?!(?:lt|gt|quot|amp);)/u);
      (found[name] ??= []).push(unescaped(text));
      rest = rest.replace(element, '');
    }
    expect(rest.replaceAll('<g:product_detail></g:product_detail>', '')).toBe(
      '<g:shipping></g:shipping>',
    );
    return found;
  });
}

const feed = (network: (typeof feedNetworks)[number], ...products: FeedProduct[]) =>
  itemsIn(productFeed(network, products, 'https://shop.example/'));

test('a product is offered with its full price and, when it has an offer, its sale price', () => {
  const onOffer = feedProduct({ offerPrice: '1299.5', stock: 0 });
  const [plain, offered] = feed('google', feedProduct(), onOffer);
  expect(plain).toMatchObject({
    id: [id],
    title: ['Palakka Ring'],
    description: ['Green glass, set by hand.'],
    link: [`https://shop.example/product/${id}`],
    image_link: [images[0]],
    additional_image_link: [images[1]],
    availability: ['in_stock'],
    price: ['1499.00 INR', '0.00 INR'],
    condition: ['new'],
    identifier_exists: ['no'],
    google_product_category: ['200'],
    product_type: ['Jewellery > Rings'],
  });
  expect(plain).not.toHaveProperty('sale_price');
  expect(plain).not.toHaveProperty('item_group_id');
  expect(offered).toMatchObject({
    availability: ['out_of_stock'],
    sale_price: ['1299.50 INR'],
  });
});

test('Google’s number of a category follows from where it is worn, unless the settings give one', () => {
  const numberOf = (category: string): string | undefined =>
    feed('google', feedProduct({ category }))[0]?.['google_product_category']?.[0];
  expect(numberOf('earrings')).toBe('194');
  expect(numberOf('toe-rings')).toBe('190');
  expect(numberOf('no-more')).toBeUndefined();
});

test('each size is an item of its own with its own stock, in one group', () => {
  const sized = feedProduct({
    stock: 3,
    sizes: [
      { size: '14', stock: 3 },
      { size: '16', stock: 0 },
    ],
  });
  const items = feed('meta', sized);
  expect(items.map((item) => [item['size'], item['availability'], item['item_group_id']])).toEqual([
    [['14'], ['in stock'], [id]],
    [['16'], ['out of stock'], [id]],
  ]);
  expect(items.map((item) => item['quantity_to_sell_on_facebook'])).toEqual([['3'], ['0']]);
  expect(items.map((item) => item['title'])).toEqual([
    ['Palakka Ring · Size 14'],
    ['Palakka Ring · Size 16'],
  ]);
});

test('a product without an image is left out; one without a description says its name, and one without a name its category', () => {
  const textsOf = (changes: Record<string, unknown>, imageAddresses = images) =>
    feed('google', { ...feedProduct(changes), imageAddresses }).map((item) =>
      [item['title'], item['description']].flat(),
    );
  expect(textsOf({}, [])).toEqual([]);
  expect(textsOf({ description: ' ' })).toEqual([['Palakka Ring', 'Palakka Ring']]);
  expect(textsOf({ name: '\u0001' })).toMatchObject([['Rings', 'Green glass, set by hand.']]);
});

test('both networks get the facts that the product page shows, and none that customers do not see', () => {
  const known = feedProduct({
    attributes: { purity: '925 silver', plating_microns: 1, hsn: '7117', stone: 'None' },
  });
  const [google] = feed('google', known);
  expect(google).toMatchObject({
    attribute_name: ['Purity', 'Plating thickness'],
    attribute_value: ['925 silver', '1 micron'],
    description: ['Green glass, set by hand.'],
  });
  const [meta] = feed('meta', known);
  expect(meta).toMatchObject({
    description: ['Green glass, set by hand.\nPurity: 925 silver\nPlating thickness: 1 micron'],
  });
});

const anyText = fc.string({ unit: 'binary', maxLength: 6_000 });
const anyProduct = fc
  .record({
    id: fc.uuid(),
    name: anyText.filter((text) => text.trim() !== ''),
    description: anyText,
    category: fc.constantFrom(...categories),
    price: fc.integer({ min: 100, max: 100_000_000 }).map((paise) => paise / 100),
    sizes: fc.uniqueArray(
      fc.record({
        size: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 }),
        stock: fc.nat(1_000),
      }),
      { selector: ({ size }) => size, maxLength: 24 },
    ),
    metal: anyText,
  })
  .map(({ metal, ...row }) => feedProduct({ ...row, stock: 1, attributes: { metal } }));

test('what is gone since the build is out of stock: products, and sizes that a product no longer has', () => {
  const sized = feedProduct({
    id: id.replace(/^0f/u, '1f'),
    sizes: [
      { size: '12" & more', stock: 1 },
      { size: '14', stock: 2 },
    ],
  });
  for (const network of feedNetworks) {
    const built = builtItems(
      productFeed(network, [feedProduct({ description: 'a\nb' }), sized], 'https://shop.example/'),
    );
    const now = { ...sized, sizes: [{ size: '14', stock: 2 }] };
    const rows = stockFeed(network, [now], built).slice(1);
    expect(rows.map(([, availability]) => String(availability).replaceAll('_', ' '))).toEqual([
      'in stock',
      'out of stock',
      'out of stock',
    ]);
    expect(rows.map(([first]) => first)).toEqual([
      `${sized.id.replaceAll('-', '').slice(0, 29)}_14`,
      id,
      `${sized.id.replaceAll('-', '').slice(0, 29)}_12" & more`,
    ]);
    expect(new Set(rows.map(([, , price]) => price))).toEqual(new Set(['1499.00 INR']));
    // Of products that are as they were, nothing is added.
    expect(stockFeed(network, [feedProduct(), sized], built)).toHaveLength(4);
  }
});

test('for any product name, both feeds hold what the networks accept, and the stock feed has the same ids', () => {
  fc.assert(
    fc.property(fc.array(anyProduct, { maxLength: 4 }), (products) => {
      for (const network of feedNetworks) {
        const items = feed(network, ...products);
        for (const item of items) {
          const [[itemId = ''] = [], [title = ''] = []] = [item['id'], item['title']];
          expect(itemId.length).toBeLessThanOrEqual(50);
          expect(title.length).toBeGreaterThan(0);
          expect(title.length).toBeLessThanOrEqual(150);
          expect((item['description']?.[0] ?? '').length).toBeLessThanOrEqual(5_000);
          expect(item['price']?.[0]).toMatch(/^\d+\.\d\d INR$/u);
          expect(item['availability']?.[0]).toMatch(/^(?:in|out)[_ ](?:of[_ ])?stock$/u);
        }
        const ids = items.map((item) => item['id']?.[0]);
        expect(new Set(ids).size).toBe(ids.length);
        expect(
          stockFeed(network, products, [])
            .slice(1)
            .map(([first]) => first),
        ).toEqual(ids);
      }
    }),
    { numRuns: 100 },
  );
});
