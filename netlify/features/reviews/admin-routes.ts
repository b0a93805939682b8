import * as z from 'zod/mini';
import { reviewsApi } from '#features/reviews/domain/reviews-api.ts';
import { removeUnusedImages } from '#core/catalogue/image-files.ts';
import { announceWithdrawal } from '#core/catalogue/withdrawn.ts';
import { answer } from '#core/auth/admin-routes.ts';
import { causeOf } from '#core/platform/cause-of.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { requestBuild } from '#core/publishing/publish.ts';

/** What SQL `decide_review` answers. */
export const decideOutcomes = ['saved', 'changed', 'gone'] as const;

export const routes = [
  answer(reviewsApi.decide, async ({ request, params: { id = '' }, body, addLogFields }) => {
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
    if (outcome === 'saved') {
      // A hidden review has no image any more.
      if (body.seen.image !== null) await removeUnusedImages(10, 'reviews');
      if (body.state === 'hidden') {
        await announceWithdrawal(request);
        // It is hidden whatever becomes of this: the sweep requests the build, too.
        await requestBuild(request, 'auto').catch((error: unknown) => {
          addLogFields({ build: causeOf(error) });
        });
      }
      return { ok: true };
    }
    if (outcome === 'changed')
      throw new HttpError(
        409,
        'changed',
        'The customer has just changed this review. Read it again, then decide.',
      );
    throw new HttpError(404, 'not_found', 'This review is no longer there.');
  }),
];
