import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { listInbox } from '../server/forms/inbox.ts';
import { json } from '../server/platform/http.ts';

/** GET /api/admin/inbox?kind=messages|forms|subscribers&cursor=&limit=: a page of the inbox, newest first. */
export default adminEndpoint({
  route: 'admin/inbox',
  handlers: {
    GET: async ({ url }) => json(await listInbox(url.searchParams)),
  },
});

export const config: Config = { path: '/api/admin/inbox' };
