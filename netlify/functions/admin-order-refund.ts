import type { Config } from '@netlify/functions';
import { refundRequestSchema } from '../../src/domain/admin/orders.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { adminOrderOf } from '../server/orders/admin-order.ts';
import { orderIdOf, readOrderRecord } from '../server/orders/order-record.ts';
import { requestRefund } from '../server/orders/order-steps.ts';
import { sendOutboxAfterResponse, sendRefundsNow } from '../server/mail/send-after-response.ts';
import { json } from '../server/platform/http.ts';
import { readJson } from '../server/platform/request-body.ts';

/**
 * POST /api/admin/orders/:id/refund: all or part of what was paid, and items back into stock. The same key is the same
 * refund. Razorpay is asked at once; when it does not answer, the refund stays due and the sweep asks again.
 */
export default adminEndpoint({
  route: 'admin/order/refund',
  handlers: {
    async POST(ctx) {
      const id = orderIdOf(ctx.url);
      const refund = await readJson(ctx.request, refundRequestSchema);
      ctx.addLogFields({ order: id, paise: refund.amountPaise });
      await requestRefund(id, refund);
      await sendRefundsNow(ctx);
      await sendOutboxAfterResponse(ctx);
      return json({ order: adminOrderOf(await readOrderRecord(id)) });
    },
  },
});

export const config: Config = { path: '/api/admin/orders/:id/refund' };
