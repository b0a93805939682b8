import type { Config } from '@netlify/functions';
import { cancelRequestSchema } from '../../src/domain/admin/orders.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { adminOrderOf } from '../server/orders/admin-order.ts';
import { orderIdOf, readOrderRecord } from '../server/orders/order-record.ts';
import { providerUnreachable } from '../server/orders/order-refusal.ts';
import { cancelOrder } from '../server/orders/order-steps.ts';
import { sendOutboxAfterResponse, sendRefundsNow } from '../server/mail/send-after-response.ts';
import { json } from '../server/platform/http.ts';
import { getPaymentProvider } from '../server/payments/payment-provider.ts';
import { readJson } from '../server/platform/request-body.ts';

/**
 * POST /api/admin/orders/:id/cancel: before the order is sent. What was paid goes back; an unpaid order's items are
 * given free, but only after Razorpay has said that there is no payment.
 */
export default adminEndpoint({
  route: 'admin/order/cancel',
  handlers: {
    async POST(ctx) {
      const id = orderIdOf(ctx.url);
      const cancel = await readJson(ctx.request, cancelRequestSchema);
      ctx.addLogFields({ order: id });
      await cancelOrder(id, cancel, () => getPaymentProvider(ctx)).catch(providerUnreachable);
      await sendRefundsNow(ctx);
      await sendOutboxAfterResponse(ctx);
      return json({ order: adminOrderOf(await readOrderRecord(id)) });
    },
  },
});

export const config: Config = { path: '/api/admin/orders/:id/cancel' };
