import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { json } from '../server/platform/http.ts';

/** GET /api/admin/session: until when the admin is logged in; 401 when they are not. */
export default adminEndpoint({
  route: 'admin/session',
  handlers: {
    GET: ({ session }) => Promise.resolve(json({ expiresAt: session.expiresAt })),
  },
});

export const config: Config = { path: '/api/admin/session' };
