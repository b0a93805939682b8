import * as z from 'zod/mini';
import { shop } from '#settings/shop.ts';
import { typedLine, typedLines } from '#domain/typed-text.ts';

/** The limits of one review, in characters. The page, the endpoint and SQL enforce them. */
export const reviewLimits = { words: 1_000, name: 60, town: 60, answer: 1_000 } as const;

/** The request header with the token of a review's link. */
export const reviewLinkHeader = 'x-review-link';

const atMost = (max: number) => z.maxLength(max, `Please use at most ${String(max)} characters.`);

export const maxStars = 5;

/** Stars and words about one product. */
export const productReviewSchema = z.object({
  productId: z.uuid(),
  stars: z
    .int()
    .check(z.minimum(1, 'Choose one to five stars.'), z.maximum(maxStars, 'Five stars at most.')),
  words: z
    .string()
    .check(typedLines(), z.minLength(1, 'Write a few words.'), atMost(reviewLimits.words)),
  /** False removes the image that was sent before. */
  keepsImage: z.boolean(),
});

/** Body of POST /api/reviews/send. */
export const reviewsSchema = z.object({
  name: z
    .string()
    .check(
      typedLine(),
      z.minLength(1, 'Say under which name it is shown.'),
      atMost(reviewLimits.name),
    ),
  town: z.string().check(typedLine(), atMost(reviewLimits.town)),
  reviews: z.array(productReviewSchema).check(
    z.minLength(1, 'Choose stars for at least one product.'),
    z.maxLength(shop.limits.cartLines),
    z.refine(
      (all) => new Set(all.map(({ productId }) => productId)).size === all.length,
      'A product is reviewed twice.',
    ),
  ),
});
export type Reviews = z.infer<typeof reviewsSchema>;

const sentReviewSchema = z.object({
  stars: z.int(),
  words: z.string(),
  hasImage: z.boolean(),
  state: z.enum(['new', 'published', 'hidden']),
});

/** What the page of a link shows: the order's products, and what was sent about them. SQL `read_order_reviews` writes it. */
export const orderReviewsSchema = z.object({
  orderId: z.int(),
  name: z.string(),
  town: z.string(),
  products: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      image: z.nullable(z.string()),
      review: z.nullable(sentReviewSchema),
    }),
  ),
});
export type OrderReviews = z.infer<typeof orderReviewsSchema>;
export type ReviewedProduct = OrderReviews['products'][number];

/** '1 review', '2 reviews'. */
export const reviewCount = (count: number): string =>
  `${String(count)} ${count === 1 ? 'review' : 'reviews'}`;

/** '1 star', '2 stars'. */
export const starCount = (stars: number): string =>
  `${String(stars)} ${stars === 1 ? 'star' : 'stars'}`;
