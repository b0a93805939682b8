import type { Config } from '@netlify/functions';
import { HttpError } from '../server/platform/http-error.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { requireOwnOrder } from '../server/checkout/orders.ts';
import { orderIdSchema } from '../server/payments/razorpay-entities.ts';
import { requireShopper } from '../server/auth/shopper.ts';

const known: ReadonlySet<string> = new Set(['COMPLETED', 'PENDING', 'FAILED']);

/** GET /api/payment/status?order_id=order_…: how the shopper's own order stands, for the confirmation page. */
export default endpoint({
  route: 'payment/status',
  method: 'GET',
  async handler({ request }) {
    const shopper = await requireShopper(request);
    const id = orderIdSchema.safeParse(new URL(request.url).searchParams.get('order_id'));
    if (!id.success) throw new HttpError(404, 'not_found', 'Order not found');
    const order = await requireOwnOrder(shopper.id, id.data);
    return json({ status: known.has(order.status) ? order.status : 'FAILED', number: order.id });
  },
});

export const config: Config = { path: '/api/payment/status' };
