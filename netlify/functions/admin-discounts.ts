import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import {
  discountInputSchema,
  listedDiscountSchema,
  stopDiscountSchema,
} from '../../src/domain/admin/discount-input.ts';
import { endsTodayOrLater } from '../../src/domain/period.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { callFunction } from '../server/platform/database.ts';
import { HttpError } from '../server/platform/http/http-error.ts';
import { json } from '../server/platform/http/http.ts';
import { readJson } from '../server/platform/http/request-body.ts';

const { max_per_customer: uses, ...shape } = listedDiscountSchema.shape;
/** A row of `discount_codes`, whose column keeps its released name. */
const rowSchema = z.pipe(
  z.object({ ...shape, max_per_shopper: uses }),
  z.transform(({ max_per_shopper: max, ...row }) => ({ ...row, max_per_customer: max })),
);

const listed = async (): Promise<Response> =>
  json({ discounts: await callFunction('list_discounts', {}, z.array(rowSchema)) });

/** /api/admin/discount: GET lists all codes with their uses; POST creates one, PUT stops or resumes one, and both answer with the list. */
export default adminEndpoint({
  route: 'admin/discount',
  handlers: {
    GET: listed,
    async POST({ request, addLogFields }) {
      const { max_per_customer: max, ...wanted } = await readJson(
        request,
        discountInputSchema.check(endsTodayOrLater),
      );
      const { outcome } = await callFunction(
        'create_discount',
        { p_discount: { ...wanted, max_per_shopper: max } },
        z.object({ outcome: z.enum(['created', 'taken']) }),
      );
      addLogFields({ outcome });
      if (outcome === 'created') return listed();
      const message =
        'A code with this name exists already. Old codes stay with their orders, so choose another name.';
      throw new HttpError(409, 'taken', message, { fields: { code: message } });
    },
    async PUT({ request }) {
      const { code, stopped } = await readJson(request, stopDiscountSchema);
      const found = await callFunction(
        'stop_discount',
        { p_code: code, p_stopped: stopped },
        z.boolean(),
      );
      if (!found) throw new HttpError(404, 'not_found', 'This code does not exist.');
      return listed();
    },
  },
});

export const config: Config = { path: '/api/admin/discount' };
