import type { Config } from '@netlify/functions';
import {
  adminOccasionSchema,
  occasionInputSchema,
  type OccasionInput,
} from '../../src/domain/admin/occasion-input.ts';
import { endsTodayOrLater } from '../../src/domain/period.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { callFunction } from '../server/platform/database.ts';
import { json } from '../server/platform/http/http.ts';
import { readJson } from '../server/platform/http/request-body.ts';

const save = async (wanted: OccasionInput | null): Promise<Response> =>
  json({
    occasion: await callFunction('save_occasion', { p_occasion: wanted }, adminOccasionSchema),
  });

/** GET, PUT and DELETE /api/admin/occasion, answered with `{occasion}`, null for none. */
export default adminEndpoint({
  route: 'admin/occasion',
  handlers: {
    GET: async () =>
      json({ occasion: await callFunction('read_occasion', {}, adminOccasionSchema) }),
    async PUT({ request, addLogFields }) {
      const wanted = await readJson(request, occasionInputSchema.check(endsTodayOrLater));
      addLogFields({ products: wanted.products.length });
      return save(wanted);
    },
    DELETE: () => save(null),
  },
});

export const config: Config = { path: '/api/admin/occasion' };
