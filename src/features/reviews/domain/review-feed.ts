import { sku } from '#domain/catalogue/sku.ts';
import type { Product } from '#domain/catalogue/product.ts';
import { escapeXml } from '#domain/xml.ts';
import { shop } from '#settings/shop.ts';
import type { PublishedReview } from './published-reviews.ts';
import { maxStars } from './review.ts';

/** A product with reviews, as the feed names it. */
export interface ReviewedProduct extends Pick<Product, 'id' | 'name' | 'sizes'> {
  /** The absolute address of its page. */
  address: string;
  reviews: readonly (Omit<PublishedReview, 'image'> & {
    /** The absolute address of its image; null when it has none. */
    imageAddress: string | null;
  })[];
}

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;

function reviewXml(
  product: ReviewedProduct,
  review: ReviewedProduct['reviews'][number],
  ids: string,
): string {
  const image =
    review.imageAddress === null
      ? ''
      : `<reviewer_images><reviewer_image>${element('url', review.imageAddress)}</reviewer_image></reviewer_images>`;
  return [
    '<review>',
    element('review_id', String(review.id)),
    `<reviewer>${element('name', review.name)}</reviewer>`,
    // The link of a delivered order alone takes a review, and nothing is given for one.
    '<is_verified_purchase>true</is_verified_purchase><is_incentivized_review>false</is_incentivized_review>',
    element('review_timestamp', new Date(review.created_at).toISOString()),
    element('content', review.words),
    `<review_url type="group">${escapeXml(`${product.address}#reviews`)}</review_url>`,
    image,
    `<ratings><overall min="1" max="${String(maxStars)}">${String(review.stars)}</overall></ratings>`,
    `<products><product><product_ids>${ids}<brands>${element('brand', shop.name)}</brands></product_ids>`,
    element('product_name', product.name),
    element('product_url', product.address),
    '</product></products><collection_method>after_fulfillment</collection_method>',
    '</review>',
  ].join('');
}

/**
 * Google's feed of product reviews, which is not the feed of products
 * (developers.google.com/product-review-feeds/schema, version 2.4, read on 28 November 2026). It always has all reviews: Google deletes
 * those that are not in it any more.
 */
export function reviewFeed(products: readonly ReviewedProduct[]): string {
  const reviews = products.flatMap((product) => {
    const { id, sizes } = product;
    const skus = sizes.length === 0 ? [id] : sizes.map(({ size }) => sku(id, size));
    const ids = `<skus>${skus.map((one) => element('sku', one)).join('')}</skus>`;
    return product.reviews.map((review) => reviewXml(product, review, ids));
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns:vc="http://www.w3.org/2007/XMLSchema-versioning" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
    ' xsi:noNamespaceSchemaLocation="http://www.google.com/shopping/reviews/schema/product/2.4/product_reviews.xsd">',
    `<version>2.4</version><publisher>${element('name', shop.name)}</publisher>`,
    `<reviews>${reviews.join('\n')}</reviews>`,
    '</feed>',
    '',
  ].join('\n');
}
