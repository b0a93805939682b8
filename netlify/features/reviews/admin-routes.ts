import * as z from 'zod/mini';
import { reviewsApi } from '#features/reviews/domain/reviews-api.ts';
import { removeUnusedImages } from '#core/catalogue/image-files.ts';
import { answer } from '#core/auth/admin-routes.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

/** What SQL `decide_review` answers. */
export const decideOutcomes = ['saved', 'changed', 'gone'] as const;

export const routes = [
  answer(reviewsApi.decide, async ({ params: { id = '' }, body, addLogFields }) => {
    addLogFields({ review: id, state: body.state });
    const args = {
      p_id: Number(id),
      p_state: body.state,
      p_answer: body.answer,
      p_seen: body.seen,
    };
    const outcome = /^[1-9]\d{0,14}$/u.test(id)
      ? await callFunction('decide_review', args, z.enum(decideOutcomes))
      : 'gone';
    // A hidden review has no image any more.
    if (outcome === 'saved' && body.seen.image !== null) await removeUnusedImages(10, 'reviews');
    if (outcome === 'saved') return { ok: true };
    if (outcome === 'changed')
      throw new HttpError(
        409,
        'changed',
        'The customer has just changed this review. Read it again, then decide.',
      );
    throw new HttpError(404, 'not_found', 'This review is no longer there.');
  }),
];
