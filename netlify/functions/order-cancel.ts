import type { Config } from '@netlify/functions';
import { ownCancelSchema } from '#domain/orders/own-cancel.ts';
import { requireCustomer } from '#core/auth/customer.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { sendRefundsNow } from '#core/payments/send-after-response.ts';
import { readOrderId } from '#core/orders/order-record.ts';
import { cancelOwnOrder } from '#core/orders/own-cancel.ts';
import { getPaymentProvider } from '#core/payments/payment-provider.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { callerAddress, networkOf, limitCost } from '#core/platform/costs.ts';
import { readJson } from '#core/platform/http/request-body.ts';

/**
 * POST /api/orders/:id/cancel: the customer gives up their unpaid order, or cancels a paid one before it is packed; the
 * refund is sent at once. 409 with a sentence when the order has moved on.
 */
export default endpoint({
  route: 'orders/cancel',
  method: 'POST',
  async handler(ctx) {
    const customer = await requireCustomer(ctx.request, 'cancel your order');
    const id = readOrderId(ctx.context.params['id']);
    const request = await readJson(ctx.request, ownCancelSchema);
    await limitCost('provider_call', { account: customer.id, context: ctx.context });
    ctx.addLogFields({ order: id, paid: request.paid });
    try {
      await cancelOwnOrder(customer.id, id, request, networkOf(callerAddress(ctx.context)), () =>
        getPaymentProvider(ctx),
      );
    } finally {
      // A request that the admin decides has a mail, too.
      await sendOutboxAfterResponse(ctx);
    }
    // A paid order and a cash order's advance are refunded.
    await sendRefundsNow(ctx);
    return json({ status: 'cancelled' });
  },
});

export const config: Config = { path: '/api/orders/:id/cancel' };
