import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { requestPaymentRefund } from '../server/orders/order-steps.ts';
import { sendRefundsNow } from '../server/mail/send-after-response.ts';
import { HttpError } from '../server/platform/http-error.ts';
import { json } from '../server/platform/http.ts';
import { paymentIdSchema } from '../server/payments/razorpay-entities.ts';
import { readJson } from '../server/platform/request-body.ts';

const bodySchema = z.object({ key: z.uuid() });

/** POST /api/admin/payments/:paymentId/refund: sends back a payment that matches no order; tries a failed refund again. */
export default adminEndpoint({
  route: 'admin/payments/refund',
  handlers: {
    async POST(ctx) {
      const id = paymentIdSchema.safeParse(ctx.context.params['paymentId']);
      if (!id.success) throw new HttpError(404, 'not_found', 'There is no such payment.');
      const { key } = await readJson(ctx.request, bodySchema);
      ctx.addLogFields({ payment: id.data });
      await requestPaymentRefund(id.data, key);
      await sendRefundsNow(ctx);
      return json({ ok: true });
    },
  },
});

export const config: Config = { path: '/api/admin/payments/:paymentId/refund' };
