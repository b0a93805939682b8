import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { adminOrderOf } from '../server/orders/admin-order.ts';
import { orderIdOf, readOrderRecord } from '../server/orders/order-record.ts';
import { json } from '../server/platform/http.ts';

/** GET /api/admin/orders/:id: everything about an order. */
export default adminEndpoint({
  route: 'admin/order',
  handlers: {
    GET: async ({ url }) => json({ order: adminOrderOf(await readOrderRecord(orderIdOf(url))) }),
  },
});

export const config: Config = { path: '/api/admin/orders/:id' };
