import * as z from 'zod/mini';
import { inboxReviewSchema } from '#domain/admin/inbox.ts';
import { changes } from '#domain/admin/endpoint.ts';
import { doneSchema } from '#domain/admin/plain-schemas.ts';
import { typedLines } from '#domain/typed-text.ts';
import { reviewLimits } from './review.ts';

/** What the admin decides about a review. Stars and words stay as the customer wrote them. */
export const reviewDecisionSchema = z.object({
  state: z.enum(['published', 'hidden']),
  /** What the admin has read. A review that the customer changed meanwhile is not decided about unread. */
  seen: z.pick(inboxReviewSchema, {
    stars: true,
    words: true,
    name: true,
    town: true,
    image: true,
  }),
  answer: z
    .string()
    .check(
      typedLines(),
      z.maxLength(
        reviewLimits.answer,
        `Please use at most ${String(reviewLimits.answer)} characters.`,
      ),
    ),
});

export const reviewsApi = {
  /** Publishes or hides a review, with the shop's answer; '' for none. The inbox lists them. */
  decide: changes('POST', '/api/admin/reviews/:id', reviewDecisionSchema, doneSchema),
};
