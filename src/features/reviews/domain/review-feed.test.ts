import { expect, test } from 'vitest';
import { shop } from '#settings/shop.ts';
import { reviewFeed } from './review-feed.ts';

const review = {
  id: 7,
  product_id: '00000000-0000-4000-8000-000000000001',
  created_at: '2026-11-20T10:00:00.123456+00:00',
  stars: 4,
  words: 'Light & <lovely>',
  name: 'Anjali',
  town: 'Kochi',
  answer: 'Thank you',
  imageAddress: null,
};
const product = {
  id: review.product_id,
  name: 'Leaf Ring',
  sizes: [],
  address: 'https://shop.example/product/1',
  reviews: [review],
};

test('each review is in the feed with its product, in the order of Google’s schema, and as text', () => {
  const xml = reviewFeed([product, { ...product, id: 'other', reviews: [] }]);
  expect(xml.match(/<review>/gu)).toHaveLength(1);
  expect([...xml.matchAll(/<(?!\/|\?)([a-z_]+)/gu)].map(([, name]) => name).slice(5)).toEqual(
    (
      'review review_id reviewer name is_verified_purchase is_incentivized_review review_timestamp content review_url ' +
      'ratings overall products product product_ids skus sku brands brand product_name product_url collection_method'
    ).split(' '),
  );
  expect(xml).toContain('<content>Light &amp; &lt;lovely&gt;</content>');
  expect(xml).toContain('<review_timestamp>2026-11-20T10:00:00.123Z</review_timestamp>');
  expect(xml).toContain('<overall min="1" max="5">4</overall>');
  expect(xml).toContain(`<sku>${product.id}</sku>`);
  expect(xml).toContain(
    `<publisher><name>${shop.name.replaceAll('&', '&amp;')}</name></publisher>`,
  );
  // Neither the town nor the shop's answer is Google's.
  expect(xml).not.toMatch(/Kochi|Thank you/u);
});

test('a product with sizes is named by each of them, as in the feed of products, and an image is linked', () => {
  const xml = reviewFeed([
    {
      ...product,
      sizes: [
        { size: '12', stock: 1 },
        { size: '14', stock: 0 },
      ],
      reviews: [{ ...review, imageAddress: 'https://shop.example/a.jpg?w=1&h=2' }],
    },
  ]);
  expect([...xml.matchAll(/<sku>[^<]*_(\d+)<\/sku>/gu)].map(([, size]) => size)).toEqual([
    '12',
    '14',
  ]);
  expect(xml).toContain(
    '</review_url><reviewer_images><reviewer_image><url>https://shop.example/a.jpg?w=1&amp;h=2</url>',
  );
});

test('a shop without a review has an empty feed', () => {
  expect(reviewFeed([])).toContain('<reviews></reviews>');
});
