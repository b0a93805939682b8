import type { APIRoute } from 'astro';
import { imageAddress, sizedImage } from '#domain/image.ts';
import { catalogue } from '#services/catalogue/built-catalogue.ts';
import * as environment from '#services/environment.ts';
import { shop } from '#settings/shop.ts';
import { builtReviews } from '#features/reviews/built-reviews.ts';
import { reviewFeed } from '#features/reviews/domain/review-feed.ts';

/** The published reviews for Google Merchant Center. */
export const GET: APIRoute = async ({ site }) => {
  const origin = site ?? new URL(shop.defaultOrigin);
  const imageOf = (entry: string): string =>
    new URL(sizedImage(imageAddress(entry, environment.supabaseUrl), 1080, 'jpg'), origin).href;
  const reviews = await builtReviews();
  const products = (await catalogue()).map((product) => ({
    ...product,
    address: new URL(`/product/${product.id}`, origin).href,
    reviews: (reviews.get(product.id) ?? []).map(({ image, ...review }) => ({
      ...review,
      imageAddress: image === null ? null : imageOf(image),
    })),
  }));
  return new Response(reviewFeed(products), {
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  });
};
