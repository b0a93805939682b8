import * as z from 'zod/mini';
import { reviewsApi } from '../../../src/features/reviews/domain/reviews-api.ts';
import { answer } from '../../core/auth/admin-routes.ts';
import { callFunction } from '../../core/platform/database.ts';
import { HttpError } from '../../core/platform/http/http-error.ts';

export const routes = [
  answer(reviewsApi.decide, async ({ params: { id = '' }, body, addLogFields }) => {
    addLogFields({ review: id, state: body.state });
    const args = { p_id: Number(id), p_state: body.state, p_answer: body.answer };
    if (/^[1-9]\d{0,14}$/u.test(id) && (await callFunction('decide_review', args, z.boolean())))
      return { ok: true };
    throw new HttpError(404, 'not_found', 'This review is no longer there.');
  }),
];
