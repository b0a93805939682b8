import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { readToday } from '../server/orders/today.ts';
import { json } from '../server/platform/http.ts';

/** GET /api/admin/today: what needs the admin's attention now. */
export default adminEndpoint({
  route: 'admin/today',
  handlers: {
    GET: async () => json(await readToday()),
  },
});

export const config: Config = { path: '/api/admin/today' };
