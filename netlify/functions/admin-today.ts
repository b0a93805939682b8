import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/admin/admin-endpoint.ts';
import { readToday } from '../server/admin/today.ts';
import { json } from '../server/http.ts';

/** GET /api/admin/today: what needs the owner's hand now. */
export default adminEndpoint({
  route: 'admin/today',
  handlers: {
    GET: async () => json(await readToday()),
  },
});

export const config: Config = { path: '/api/admin/today' };
