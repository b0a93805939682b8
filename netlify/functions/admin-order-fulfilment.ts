import type { Config } from '@netlify/functions';
import { fulfilmentChangeSchema } from '../../src/domain/admin/orders.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { adminOrderOf } from '../server/orders/admin-order.ts';
import { orderIdOf, readOrderRecord } from '../server/orders/order-record.ts';
import { changeFulfilment } from '../server/orders/order-steps.ts';
import { sendOutboxAfterResponse } from '../server/mail/send-after-response.ts';
import { json } from '../server/platform/http.ts';
import { readJson } from '../server/platform/request-body.ts';

/** POST /api/admin/orders/:id/fulfilment: a step forward, or one back. Shipping tells the buyer and writes the invoice. */
export default adminEndpoint({
  route: 'admin/order/fulfilment',
  handlers: {
    async POST(ctx) {
      const id = orderIdOf(ctx.url);
      const change = await readJson(ctx.request, fulfilmentChangeSchema);
      ctx.addLogFields({ order: id, state: change.state });
      await changeFulfilment(id, change);
      if (change.state === 'shipped') await sendOutboxAfterResponse(ctx);
      return json({ order: adminOrderOf(await readOrderRecord(id)) });
    },
  },
});

export const config: Config = { path: '/api/admin/orders/:id/fulfilment' };
