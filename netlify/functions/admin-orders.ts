import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { listOrders } from '../server/orders/order-list.ts';
import { json } from '../server/platform/http.ts';

/** GET /api/admin/orders?q=&filter=&cursor=&limit=: a page of orders, newest first, and how many each filter has. */
export default adminEndpoint({
  route: 'admin/orders',
  handlers: {
    GET: async ({ url }) => json(await listOrders(url.searchParams)),
  },
});

export const config: Config = { path: '/api/admin/orders' };
