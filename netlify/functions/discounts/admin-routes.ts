import * as z from 'zod/mini';
import {
  discountsApi,
  listedDiscountSchema,
} from '../../../src/features/discounts/domain/discounts-api.ts';
import { answer } from '../../server/auth/admin-routes.ts';
import { callFunction } from '../../server/platform/database.ts';
import { HttpError } from '../../server/platform/http/http-error.ts';

const list = async () => ({
  discounts: await callFunction('list_discounts', {}, z.array(listedDiscountSchema)),
});

export const routes = [
  answer(discountsApi.list, list),
  answer(discountsApi.create, async ({ body, addLogFields }) => {
    const { outcome } = await callFunction(
      'create_discount',
      { p_discount: body },
      z.object({ outcome: z.enum(['created', 'taken']) }),
    );
    addLogFields({ outcome });
    if (outcome === 'created') return list();
    const message =
      'A code with this name exists already. Old codes stay with their orders, so choose another name.';
    throw new HttpError(409, 'taken', message, { fields: { code: message } });
  }),
  answer(discountsApi.stop, async ({ body: { code, stopped } }) => {
    const found = await callFunction(
      'stop_discount',
      { p_code: code, p_stopped: stopped },
      z.boolean(),
    );
    if (!found) throw new HttpError(404, 'not_found', 'This code does not exist.');
    return list();
  }),
];
