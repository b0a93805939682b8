import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { requestBuild, readPublishState } from '../server/publishing/publish.ts';
import { json } from '../server/platform/http/http.ts';
import { readJson } from '../server/platform/http/request-body.ts';

const publishSchema = z.object({ auto: z.optional(z.boolean()) });

/** GET /api/admin/publish: what waits, and the last build. POST: 'Publish now', or with `auto` only if it is due. */
export default adminEndpoint({
  route: 'admin/publish',
  handlers: {
    GET: async ({ request }) => json(await readPublishState(request)),
    async POST({ request, addLogFields }) {
      const { auto = false } = await readJson(request, publishSchema);
      addLogFields({ auto, asked: await requestBuild(request, auto ? 'auto' : 'admin') });
      return json(await readPublishState(request), 202);
    },
  },
});

export const config: Config = { path: '/api/admin/publish' };
