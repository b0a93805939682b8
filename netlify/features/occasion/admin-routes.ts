import {
  occasionApi,
  adminOccasionSchema,
  type OccasionInput,
} from '#features/occasion/domain/occasion-api.ts';
import { answer } from '#core/auth/admin-routes.ts';
import { callFunction } from '#core/platform/database.ts';

const save = async (wanted: OccasionInput | null) => ({
  occasion: await callFunction('save_occasion', { p_occasion: wanted }, adminOccasionSchema),
});

export const routes = [
  answer(occasionApi.read, async () => ({
    occasion: await callFunction('read_occasion', {}, adminOccasionSchema),
  })),
  answer(occasionApi.save, ({ body, addLogFields }) => {
    addLogFields({ products: body.products.length });
    return save(body);
  }),
  answer(occasionApi.remove, () => save(null)),
];
