import type { PaymentProvider } from '#core/payments/razorpay.ts';
import { attachRazorpayOrder, releaseOrder } from './orders.ts';
import type { PlacedOrder } from './place-order.ts';

/** The order's id at the provider: the stored one, else a new one. A failure releases the stock first: throws PaymentProviderError. */
export async function providerOrderId(
  provider: PaymentProvider,
  order: Omit<PlacedOrder, 'reserved' | 'repeated'>,
): Promise<string> {
  if (order.razorpay_order_id !== null) return order.razorpay_order_id;
  try {
    const { id } = await provider.createOrder({
      receipt: order.merchant_transaction_id,
      amountPaise: order.online_paise,
      currency: order.currency,
      notes: { order_id: String(order.id) },
      mayExist: order.reused,
    });
    return await attachRazorpayOrder(order.id, id, provider.keyId);
  } catch (error) {
    await releaseOrder(order.id, 'payment_provider');
    throw error;
  }
}
