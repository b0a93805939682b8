import { askAfterDays } from '#settings/reviews.ts';
import { fetchAllRows } from '#services/catalogue/catalogue.ts';
import {
  publishedReviewSchema,
  ratingOf,
  type PublishedReview,
} from './domain/published-reviews.ts';

const columns = Object.keys(publishedReviewSchema.shape).join(',');

let read: Promise<ReadonlyMap<string, readonly PublishedReview[]>> | undefined;

/** Fetches the published reviews by product, newest first. */
async function fetchReviews(): Promise<ReadonlyMap<string, readonly PublishedReview[]>> {
  const rows = await fetchAllRows('reviews', {
    select: columns,
    order: 'created_at.desc,id.desc',
  });
  return Map.groupBy(
    rows.map((row) => publishedReviewSchema.parse(row)),
    ({ product_id: id }) => id,
  );
}

/**
 * The published reviews of this build, by product; of none in a shop that collects none. Read once for all pages. Throws when the
 * database cannot be read.
 */
export async function builtReviews(): Promise<ReadonlyMap<string, readonly PublishedReview[]>> {
  read ??= askAfterDays === null ? Promise.resolve(new Map()) : fetchReviews();
  return read;
}

/** The scores of the products with reviews, by their ids. */
export const builtScores = async (): Promise<ReadonlyMap<string, number>> =>
  new Map([...(await builtReviews())].map(([id, reviews]) => [id, ratingOf(reviews)?.score ?? 0]));
