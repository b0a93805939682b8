import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { adminOrderOf } from '../server/orders/admin-order.ts';
import { orderIdOf, readOrderRecord } from '../server/orders/order-record.ts';
import { packingSlipPage } from '../server/orders/print/packing-slip-page.ts';
import { documentOrErrorPage } from '../server/orders/print/document-error.ts';

/** GET /api/admin/orders/:id/packing-slip: what goes into the parcel, for print. */
export default adminEndpoint({
  route: 'admin/order/packing-slip',
  handlers: {
    GET: ({ url }) => documentOrErrorPage(async () => packingSlipPage(adminOrderOf(await readOrderRecord(orderIdOf(url))))),
  },
});

export const config: Config = { path: '/api/admin/orders/:id/packing-slip' };
