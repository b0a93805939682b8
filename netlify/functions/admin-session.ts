import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { takesTestPayments } from '../server/payments/payment-provider.ts';
import { json } from '../server/platform/http.ts';

/** GET /api/admin/session: until when the admin is logged in, and whether the site takes test payments; 401 when they are not. */
export default adminEndpoint({
  route: 'admin/session',
  handlers: {
    GET: ({ session, context }) => Promise.resolve(json({ expiresAt: session.expiresAt, testPayments: takesTestPayments(context) })),
  },
});

export const config: Config = { path: '/api/admin/session' };
