import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import {
  discountCodeSchema,
  discountRefusalSchema,
  discountRefusalText,
} from '#domain/checkout/discount-refusal.ts';
import { findCustomer } from '#core/auth/customer.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { limitCost } from '#core/platform/costs.ts';
import { readJson } from '#core/platform/http/request-body.ts';

const answerSchema = z.object({
  terms: z.optional(z.unknown()),
  refusal: z.optional(discountRefusalSchema),
});

/**
 * POST /api/discount {code}, answered with `{discount}`, what the code takes off, or 409 and why it cannot be used, in
 * words. Nothing is held by it: create-order decides.
 */
const checkCode = endpoint({
  route: 'discount',
  method: 'POST',
  async handler({ request, context, addLogFields }) {
    const { code } = await readJson(request, z.object({ code: discountCodeSchema }));
    await limitCost('code_try', { context });
    const answer = await callFunction(
      'check_discount',
      { p_code: code, p_user_id: (await findCustomer(request))?.id ?? null },
      answerSchema,
    );
    if (!answer.refusal) return json({ discount: answer.terms });
    addLogFields({ refused: answer.refusal.reason });
    throw new HttpError(409, 'discount', discountRefusalText(code, answer.refusal), {
      reason: answer.refusal.reason,
    });
  },
});

export default checkCode;

export const config: Config = { path: '/api/discount' };
