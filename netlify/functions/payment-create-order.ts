import type { Config } from '@netlify/functions';
import { rupeesFromPaise } from '../../src/domain/money.ts';
import { createOrderRequestSchema, idempotencyKeySchema } from '../server/checkout/create-order-request.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { attachRazorpayOrder, releaseOrder } from '../server/checkout/orders.ts';
import { toPaymentHttpError, getPaymentProvider } from '../server/payments/payment-provider.ts';
import { placeOrder, type PlacedOrder } from '../server/checkout/place-order.ts';
import { addressBucket, callerAddress } from '../server/platform/rate-limit.ts';
import type { PaymentProvider } from '../server/payments/razorpay.ts';
import { parseOrRefuse, readJson } from '../server/platform/request-body.ts';
import { requireShopper } from '../server/auth/shopper.ts';

/** The order's id at the provider: the stored one, else a new one. On failure the stock goes back first. */
async function providerOrderId(provider: PaymentProvider, order: PlacedOrder): Promise<string> {
  if (order.razorpay_order_id !== null) return order.razorpay_order_id;
  try {
    const { id } = await provider.createOrder({
      receipt: order.merchant_transaction_id,
      amount: order.total_paise,
      currency: order.currency,
      notes: { order_id: String(order.id) },
      mayExist: order.reused,
    });
    return await attachRazorpayOrder(order.id, id, provider.keyId);
  } catch (error) {
    await releaseOrder(order.id, 'payment_provider');
    throw toPaymentHttpError(error);
  }
}

/**
 * POST /api/payment/create-order: prices, stock and owner are decided in the database; see docs of `placeOrder`. Four calls
 * one after the other, each needing the one before: who asks, the order with its stock, the provider's order, its id stored.
 */
export default endpoint({
  route: 'payment/create-order',
  method: 'POST',
  async handler({ request, context, addLogFields }) {
    const provider = getPaymentProvider({ context });
    const shopper = await requireShopper(request);
    const key = parseOrRefuse(idempotencyKeySchema, request.headers.get('idempotency-key'));
    const body = await readJson(request, createOrderRequestSchema);
    const order = await placeOrder(shopper.id, key, body, [
      { bucket: `create-order:${shopper.id}`, hits: 6, seconds: 60 },
      { bucket: `create-order-hour:${shopper.id}`, hits: 20, seconds: 3600 },
      { bucket: addressBucket('create-order', callerAddress(context)), hits: 120, seconds: 600 },
    ]);
    addLogFields({ order: order.id });
    const orderId = await providerOrderId(provider, order);
    const { currency, total_paise: amount } = order;
    return json({
      order: { id: order.merchant_transaction_id, number: order.id },
      order_id: orderId,
      payment: { orderId, key: provider.keyId, currency, amount },
      total_amount: rupeesFromPaise(amount),
      hold_expires_at: order.hold_expires_at,
      message: 'Order created',
    });
  },
});

export const config: Config = { path: '/api/payment/create-order' };
