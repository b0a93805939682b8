import * as z from 'zod/mini';
import { isoDateInIndia } from '#domain/india-month.ts';
import { maxStars } from './review.ts';

/** A published review, as a build reads it. */
export const publishedReviewSchema = z.object({
  id: z.int(),
  product_id: z.string(),
  created_at: z.string(),
  stars: z.int(),
  words: z.string(),
  name: z.string(),
  town: z.string(),
  image: z.nullable(z.string()),
  answer: z.string(),
});
export type PublishedReview = z.infer<typeof publishedReviewSchema>;

/** What the reviews of a product come to. */
export interface Rating {
  /** Rounded to tenths. */
  average: number;
  count: number;
  /** Orders products by their reviews, from 1: the average as if two customers more had given three stars, in hundredths. */
  score: number;
}

/** The rating of a product with these reviews; null without any. */
export function ratingOf(reviews: readonly Pick<PublishedReview, 'stars'>[]): Rating | null {
  const count = reviews.length;
  if (count === 0) return null;
  const sum = reviews.reduce((total, { stars }) => total + stars, 0);
  return {
    average: Math.round((sum / count) * 10) / 10,
    count,
    // One review of five stars is no better than thirty of 4.9.
    score: Math.round(((sum + 6) / (count + 2)) * 100),
  };
}

/** Reviews in the structured data of a product: the newest, which the page shows first. */
const maxInData = 10;

/**
 * `aggregateRating` and `review` of a product or a group of variants, for its structured data: of what its page shows, and no more
 * (developers.google.com/search/docs/appearance/structured-data/review-snippet). Empty without reviews.
 */
export function reviewData(reviews: readonly PublishedReview[]): Readonly<Record<string, unknown>> {
  const rating = ratingOf(reviews);
  if (rating === null) return {};
  return {
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: rating.average,
      reviewCount: rating.count,
      bestRating: maxStars,
    },
    review: reviews.slice(0, maxInData).map(({ stars, words, name, created_at: at }) => ({
      '@type': 'Review',
      author: { '@type': 'Person', name },
      datePublished: isoDateInIndia(at),
      reviewBody: words,
      reviewRating: { '@type': 'Rating', ratingValue: stars, bestRating: maxStars },
    })),
  };
}
