import type { Cart } from '#domain/cart/cart.ts';
import type { Paise } from '#domain/money.ts';
import type { CustomerDetails } from '#domain/checkout/forms.ts';
import {
  acceptCurrency,
  checkAmount,
  PaymentError,
  type CreatedOrder,
} from '#domain/checkout/payment.ts';
import type { PaymentOutcome } from '#domain/checkout/payment-outcome.ts';
import { supportEmail } from '#settings/shop.ts';
import {
  sendCallback,
  verifyPayment,
  type CheckoutResponse,
} from '#services/checkout/payment-result.ts';
import { openRazorpayCheckout, type CheckoutEnd } from '#services/checkout/razorpay-checkout.ts';
import { showFlowToast } from '#stores/flow-toasts.ts';
import { showToastAcrossPages } from '#stores/toasts-across-pages.ts';

/** Opens the provider's checkout for an order. Throws a PaymentError when it cannot be opened. */
export async function payOrder(
  order: CreatedOrder,
  { itemCount }: Cart,
  total: Paise,
  customer: CustomerDetails,
): Promise<CheckoutEnd> {
  if (order.key === null) throw new PaymentError('Invalid response from backend');
  const amountPaise = order.amount ?? total;
  checkAmount(amountPaise);
  const currency = acceptCurrency(order.currency, (message) => {
    console.warn(message);
  });
  const request = {
    key: order.key,
    amountPaise,
    currency,
    orderId: order.orderId,
    holdUntil: order.holdUntil,
    itemCount,
    customer,
  };
  return openRazorpayCheckout(request, (description) => {
    showFlowToast('checkout', 'Payment Failed', {
      description,
      tone: 'destructive',
      durationMs: 8_000,
    });
  });
}

/** Sends a payment to the backend and has it verified. Returns `pending` while the confirmation is still to come. */
export async function confirmPayment(proof: CheckoutResponse): Promise<PaymentOutcome> {
  void sendCallback(proof);
  const outcome = await verifyPayment(proof);
  if (outcome === null) {
    showToastAcrossPages('Payment Completed', {
      description: `Your payment was received, but its verification is pending. If no e-mail comes within the hour, please contact support at ${supportEmail}.`,
      durationMs: 12_000,
    });
  }
  return outcome ?? 'pending';
}
