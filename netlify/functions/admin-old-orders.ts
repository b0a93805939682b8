import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { importOldOrders, listOldOrders, removeOldOrders } from '../server/orders/old-orders.ts';
import { json } from '../server/platform/http.ts';

/** /api/admin/old-orders: GET a page of them; POST takes some in, or says what that would do; DELETE forgets some. */
export default adminEndpoint({
  route: 'admin/old-orders',
  handlers: {
    GET: async ({ url }) => json(await listOldOrders(url)),
    async POST({ request, addLogFields }) {
      const outcome = await importOldOrders(request);
      addLogFields(outcome);
      return json(outcome);
    },
    async DELETE({ request, addLogFields }) {
      const removed = await removeOldOrders(request);
      addLogFields({ removed });
      return json({ removed });
    },
  },
});

export const config: Config = { path: '/api/admin/old-orders' };
