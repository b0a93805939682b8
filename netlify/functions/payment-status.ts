import type { Config } from '@netlify/functions';
import { HttpError } from '../server/platform/http-error.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { requireOwnOrder } from '../server/checkout/orders.ts';
import { resultOfOrder } from '../server/payments/confirm-checkout.ts';
import { orderIdSchema } from '../server/payments/razorpay-entities.ts';

const statuses = { paid: 'COMPLETED', pending: 'PENDING', refunded: 'REFUNDED', failed: 'FAILED' } as const;

/** GET /api/payment/status?order_id=order_…: how the shopper's own order stands, for the confirmation page. */
export default endpoint({
  route: 'payment/status',
  method: 'GET',
  async handler({ request }) {
    const id = orderIdSchema.safeParse(new URL(request.url).searchParams.get('order_id'));
    if (!id.success) throw new HttpError(404, 'not_found', 'Order not found');
    const order = await requireOwnOrder(request, id.data);
    const { state, message } = resultOfOrder(order);
    return json({ status: statuses[state], number: order.id, message });
  },
});

export const config: Config = { path: '/api/payment/status' };
