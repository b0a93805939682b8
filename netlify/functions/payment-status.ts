import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { type LinkedOrder, readPaymentLink } from '#domain/checkout/payment-link.ts';
import { paiseFromRupees } from '#domain/money.ts';
import { readRow } from '#domain/orders/order.ts';
import { storedRowsSchema } from '#domain/orders/order-row.ts';
import { rowsPaise } from '#domain/sums/sum-rows.ts';
import { requireOwnOrder } from '#core/checkout/orders.ts';
import { statusOfOrder } from '#core/checkout/confirm-checkout.ts';
import { getPaymentProvider } from '#core/payments/payment-provider.ts';
import { orderIdSchema } from '#core/payments/razorpay-entities.ts';
import { routeByAction } from '#core/platform/http/route-by-action.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { limitCost } from '#core/platform/costs.ts';

const ownIdSchema = z.union([
  orderIdSchema,
  z.string().check(z.regex(/^[A-Z0-9]{1,3}-[\w-]{1,36}$/u)),
]);

/** GET /api/payment/status?order_id=…, Razorpay's id or the order's reference: the payment status of the customer's own order, for the confirmation page. */
const status = endpoint({
  route: 'payment/status',
  method: 'GET',
  async handler({ request }) {
    const id = ownIdSchema.safeParse(new URL(request.url).searchParams.get('order_id'));
    if (!id.success) throw new HttpError(404, 'not_found', 'Order not found');
    const order = await requireOwnOrder(request, id.data);
    return json({ ...statusOfOrder(order), number: order.id });
  },
});

const linkedSchema = z.nullable(
  z.object({
    state: z.enum(['open', 'paid', 'ended']),
    order: z.object({
      id: z.int(),
      items: z.array(
        z.object({
          name: z.string(),
          quantity: z.int(),
          price: z.number(),
          image: z.nullable(z.string()),
        }),
      ),
      sum_rows: storedRowsSchema,
      total_paise: z.int(),
      currency: z.string(),
      razorpay_order_id: z.nullable(z.string()),
      hold_expires_at: z.nullable(z.string()),
    }),
    customer: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
  }),
);

/**
 * GET /api/payment/link?order=1001&token=…: an order that the admin made, for the page where whoever has the link pays it. The payment
 * itself is confirmed as every other: by the provider's signature and word.
 */
const link = endpoint({
  route: 'payment/link',
  method: 'GET',
  async handler({ request, context, addLogFields }) {
    await limitCost('lookup', { context });
    const link = readPaymentLink(new URL(request.url).searchParams);
    const found =
      link &&
      (await callFunction(
        'read_payment_link',
        { p_order_id: link.orderId, p_token: link.token },
        linkedSchema,
      ));
    if (!found)
      throw new HttpError(
        404,
        'not_found',
        'This payment link is not valid. Please check that you copied all of it.',
      );
    const { state, order, customer } = found;
    addLogFields({ order: order.id, state });
    const opened = state === 'open' && order.razorpay_order_id !== null;
    const rows = order.sum_rows.map(readRow);
    // An open page of release 1.3.2 reads the parts.
    const parts = {
      discountPaise: -rowsPaise(rows, 'discount'),
      feePaise: rowsPaise(rows, 'fee'),
    };
    const answer: LinkedOrder & typeof parts = {
      state,
      orderId: order.id,
      items: order.items.map(({ name, quantity, price, image }) => ({
        name,
        quantity,
        image,
        pricePaise: paiseFromRupees(price) ?? 0,
      })),
      rows,
      ...parts,
      totalPaise: order.total_paise,
      until: order.hold_expires_at,
      checkout: opened
        ? {
            key: getPaymentProvider({ context }).keyId,
            razorpayOrderId: order.razorpay_order_id ?? '',
            currency: order.currency,
            customer,
          }
        : null,
    };
    return json(answer);
  },
});

export default routeByAction({ link }, status);

export const config: Config = { path: '/api/payment/:action(status|link)' };
