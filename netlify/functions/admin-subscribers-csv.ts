import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { subscriberRows } from '../server/forms/inbox.ts';
import { csvAnswer } from '../server/platform/csv.ts';

/** GET /api/admin/subscribers.csv: every address that asked for the newsletter, with its consent. */
export default adminEndpoint({
  route: 'admin/subscribers.csv',
  handlers: {
    GET: async () => csvAnswer('subscribers.csv', await subscriberRows()),
  },
});

export const config: Config = { path: '/api/admin/subscribers.csv' };
