import * as z from 'zod/mini';
import { discountsApi, listedDiscountSchema } from '#features/discounts/domain/discounts-api.ts';
import { shownDiscountsTag } from './shown-discounts.ts';
import { answer } from '#core/auth/admin-routes.ts';
import { refreshCached } from '#core/platform/http/cdn-cache.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

const { max_per_customer: uses, ...shape } = listedDiscountSchema.shape;
/** A row of `discount_codes`, whose column keeps its released name. */
const rowSchema = z.pipe(
  z.object({ ...shape, max_per_shopper: uses }),
  z.transform(({ max_per_shopper: max, ...row }) => ({ ...row, max_per_customer: max })),
);

const list = async () => ({
  discounts: await callFunction('list_discounts', {}, z.array(rowSchema)),
});

/** The list after a change, which the cart's codes follow. */
async function listChanged(request: Request) {
  await refreshCached(request, shownDiscountsTag, '/api/discounts');
  return list();
}

/** What SQL `create_discount` answers. */
export const createOutcomes = ['created', 'taken'] as const;

export const routes = [
  answer(discountsApi.list, list),
  answer(
    discountsApi.create,
    async ({ request, body: { max_per_customer: max, ...wanted }, addLogFields }) => {
      const { outcome } = await callFunction(
        'create_discount',
        { p_discount: { ...wanted, max_per_shopper: max } },
        z.object({ outcome: z.enum(createOutcomes) }),
      );
      addLogFields({ outcome });
      if (outcome === 'created') return listChanged(request);
      const message =
        'A code with this name exists already. Old codes stay with their orders, so choose another name.';
      throw new HttpError(409, 'taken', message, { fields: { code: message } });
    },
  ),
  answer(discountsApi.stop, async ({ request, body: { code, stopped } }) => {
    const found = await callFunction(
      'stop_discount',
      { p_code: code, p_stopped: stopped },
      z.boolean(),
    );
    if (!found) throw new HttpError(404, 'not_found', 'This code does not exist.');
    return listChanged(request);
  }),
];
