import { expect, test } from 'vitest';
import { ratingOf, reviewData, type PublishedReview } from './published-reviews.ts';
import { reviewCount, starCount } from './review.ts';

const review = (changes: Partial<PublishedReview> = {}): PublishedReview => ({
  id: 1,
  product_id: 'ring',
  created_at: '2026-11-20T10:00:00Z',
  stars: 5,
  words: 'Shines',
  name: 'Anjali',
  town: 'Kochi',
  image: null,
  answer: '',
  ...changes,
});
const reviews = (...stars: number[]) => stars.map((given) => review({ stars: given }));

test('the average is rounded to tenths, and there is none without a review', () => {
  expect(ratingOf([])).toBeNull();
  expect(ratingOf(reviews(5, 4, 4))).toMatchObject({ average: 4.3, count: 3 });
  expect(ratingOf(reviews(1))).toMatchObject({ average: 1, count: 1 });
});

test('many good reviews count for more than one, and one good for more than one bad', () => {
  const many = Array.from({ length: 30 }, (_, index) => (index % 10 === 0 ? 4 : 5));
  const scores = [many, [5], [3], [1], [1, 1, 1]].map(
    (stars) => ratingOf(reviews(...stars))?.score,
  );
  expect(scores).toEqual(scores.toSorted((a, b) => Number(b) - Number(a)));
  expect(new Set(scores).size).toBe(5);
  expect(Math.min(...scores.map(Number))).toBeGreaterThan(0);
});

test('a rating counts as if two customers of three stars had written, too', () => {
  expect([[5], [1], [5, 5, 5, 5]].map((stars) => ratingOf(reviews(...stars))?.score)).toEqual([
    367, 233, 433,
  ]);
});

test('one review and one star are singular', () => {
  expect([reviewCount(1), reviewCount(2), starCount(1), starCount(5)]).toEqual([
    '1 review',
    '2 reviews',
    '1 star',
    '5 stars',
  ]);
});

test('search engines get the rating and the ten newest reviews, and nothing without any', () => {
  expect(reviewData([])).toEqual({});
  const data = reviewData([
    // In India it is the next day.
    review({ stars: 4, created_at: '2026-11-20T20:00:00+00:00' }),
    ...reviews(...Array.from({ length: 11 }, () => 5)),
  ]);
  expect(data).toMatchObject({
    aggregateRating: { ratingValue: 4.9, reviewCount: 12, bestRating: 5 },
  });
  expect(data['review']).toHaveLength(10);
  expect((data['review'] as unknown[])[0]).toEqual({
    '@type': 'Review',
    author: { '@type': 'Person', name: 'Anjali' },
    datePublished: '2026-11-21',
    reviewBody: 'Shines',
    reviewRating: { '@type': 'Rating', ratingValue: 4, bestRating: 5 },
  });
});
