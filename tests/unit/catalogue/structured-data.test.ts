import { expect, test, vi } from 'vitest';
import { productFromRow } from '#domain/catalogue/product-row.ts';
import { breadcrumbs, organization, productData } from '#domain/catalogue/structured-data.ts';
import { productFeed } from '#features/feeds/domain/product-feed.ts';
import { tax } from '#settings/tax.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

const site = new URL('https://shop.example');
const product = (changes: Record<string, unknown> = {}) =>
  productFromRow({
    id: 'p1',
    name: 'Palakka Ring',
    category: 'rings',
    price: 1000,
    stock: 2,
    ...changes,
  });

test('a product is offered at the charged price, with two decimals, while it is in stock', () => {
  expect(
    productData(product({ offerPrice: '899.5' }), ['https://cdn.example/a.jpg'], site),
  ).toMatchObject({
    name: 'Palakka Ring',
    category: 'Rings',
    image: ['https://cdn.example/a.jpg'],
    offers: {
      url: 'https://shop.example/product/p1',
      price: '899.50',
      priceCurrency: 'INR',
      availability: 'https://schema.org/InStock',
    },
  });
  const days = '\\{"@type":"QuantitativeValue","minValue":\\d+,"maxValue":\\d+,"unitCode":"DAY"\\}';
  expect(JSON.stringify(productData(product(), [], site))).toMatch(
    new RegExp(`"value":0,"currency":"INR".*"handlingTime":${days},"transitTime":${days}`, 'u'),
  );
  expect(productData(product({ stock: 0 }), [], site)).toMatchObject({
    offers: { price: '1000.00', availability: 'https://schema.org/OutOfStock' },
  });
});

test('a product with sizes is a group with a variant for each, by the id that the feed has', () => {
  const sized = product({
    id: '3f0c9a52-8d1e-4b76-9c2f-5a7e1d4b8c60',
    stock: 3,
    sizes: [
      { size: '12', stock: 3 },
      { size: '14', stock: 0 },
    ],
  });
  const data = productData(sized, ['https://cdn.example/a.jpg'], site);
  expect(data).toMatchObject({
    '@type': 'ProductGroup',
    productGroupID: sized.id,
    variesBy: 'https://schema.org/size',
    hasVariant: [
      {
        name: 'Palakka Ring · Size 12',
        size: '12',
        offers: { price: '1000.00', availability: 'https://schema.org/InStock' },
      },
      { size: '14', offers: { availability: 'https://schema.org/OutOfStock' } },
    ],
  });
  expect(data).not.toHaveProperty('offers');
  const feed = productFeed(
    'google',
    [
      {
        ...sized,
        address: 'https://shop.example/p',
        imageAddresses: ['https://cdn.example/a.jpg'],
      },
    ],
    site.href,
  );
  const ids = Array.from(feed.matchAll(/<g:id>([^<]+)</gu), ([, id]) => id);
  expect(ids).toHaveLength(2);
  expect((data['hasVariant'] as { sku: string }[]).map(({ sku }) => sku)).toEqual(ids);
});

test('metal and weight are given when they are known, and never a rating', () => {
  const known = productData(product({ attributes: { metal: 'Silver', weight_g: 3.4 } }), [], site);
  expect(known).toMatchObject({ material: 'Silver', weight: { value: 3.4, unitCode: 'GRM' } });
  const unknown = productData(product(), [], site);
  expect(Object.keys(unknown)).not.toContain('material');
  expect(Object.keys(unknown)).not.toContain('weight');
  expect(JSON.stringify(known)).not.toMatch(/rating|review/iu);
});

test('a trail starts at the home page and counts from one; without a configured site the addresses are those of a local build', () => {
  expect(breadcrumbs([['Shop', '/shop']], site)['itemListElement']).toMatchObject([
    { position: 1, name: 'Home', item: 'https://shop.example/' },
    { position: 2, name: 'Shop', item: 'https://shop.example/shop' },
  ]);
  expect(organization(undefined)).toMatchObject({
    url: 'http://localhost:8888/',
    address: { addressRegion: tax.home.name },
  });
});
