import type { Config } from '@netlify/functions';
import { indiaCalendarDay } from '#domain/calendar-day.ts';
import { openingText } from '#domain/checkout/checkout-state.ts';
import { rupeesFromPaise } from '#domain/money.ts';
import { opensOn } from '#settings/opening.ts';
import {
  createOrderRequestSchema,
  idempotencyKeySchema,
} from '#core/checkout/create-order-request.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { numbersOf } from '#core/checkout/orders.ts';
import { providerOrderId } from '#core/checkout/provider-order.ts';
import { providerForOrder, toPaymentHttpError } from '#core/payments/payment-provider.ts';
import { placeOrder } from '#core/checkout/place-order.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { callerAddress, networkOf, limitCost } from '#core/platform/costs.ts';
import { parseOrRefuse, readJson } from '#core/platform/http/request-body.ts';
import { requireCustomer } from '#core/auth/customer.ts';

/**
 * POST /api/payment/create-order: prices, stock and owner are decided in the database; see docs of `placeOrder`. Five calls
 * one after the other: the account, its limits, the order with its stock, the provider's order, its id stored. An order that is paid at
 * the door without an advance needs no provider and answers `reserved`, and `repeated` when the customer has placed it before.
 */
export default endpoint({
  route: 'payment/create-order',
  method: 'POST',
  async handler({ request, context, addLogFields }) {
    const customer = await requireCustomer(request, 'continue to payment');
    const provider = providerForOrder(
      { context },
      customer.confirmedAt === null ? null : customer.email,
      `Our checkout ${openingText(opensOn, indiaCalendarDay(new Date()))}. Your cart is kept.`,
    );
    const key = parseOrRefuse(idempotencyKeySchema, request.headers.get('idempotency-key'));
    const body = await readJson(request, createOrderRequestSchema);
    // A separate call: inside the order's transaction, customers behind one address would wait for each other's locks.
    await limitCost('provider_call', { account: customer.id, context });
    const network = networkOf(callerAddress(context));
    const order = await placeOrder(customer.id, key, body, network, provider.keyId);
    addLogFields({ order: order.id, way: body.way });
    if (order.reserved) {
      await sendOutboxAfterResponse({ context });
      return json({
        order: numbersOf(order),
        order_id: order.merchant_transaction_id,
        reserved: true,
        repeated: order.repeated,
        total_amount: rupeesFromPaise(order.total_paise),
        message: 'Order created',
      });
    }
    const orderId = await providerOrderId(provider, order).catch((error: unknown) => {
      throw toPaymentHttpError(error);
    });
    const { currency, total_paise: total, online_paise: amount } = order;
    return json({
      order: numbersOf(order),
      order_id: orderId,
      payment: { orderId, key: provider.keyId, currency, amount },
      total_amount: rupeesFromPaise(total),
      hold_expires_at: order.hold_expires_at,
      message: 'Order created',
    });
  },
});

export const config: Config = { path: '/api/payment/create-order' };
