import type { LinkedOrder, PaymentLink } from '#domain/checkout/payment-link.ts';
import { PaymentError } from '#domain/checkout/payment.ts';
import { paymentPath } from '#domain/checkout/payment-link.ts';
import { callbackPath, postPayment } from './linked-order.ts';
import { openRazorpayCheckout } from '#services/checkout/razorpay-checkout.ts';
import { leavePage } from '#services/leave-page.ts';

/**
 * Opens Checkout for an open order; a payment is posted to the server, whose answer leads back to the link's page. `onProblem` gets the words for
 * what went wrong. Never throws.
 */
export async function payLinkedOrder(
  order: LinkedOrder,
  link: PaymentLink,
  onProblem: (text: string) => void,
): Promise<'paid' | 'open'> {
  if (order.checkout === null) return 'open';
  const { key, razorpayOrderId: orderId, currency, customer } = order.checkout;
  const itemCount = order.items.reduce((sum, { quantity }) => sum + quantity, 0);
  const holdUntil = order.until === null ? null : Date.parse(order.until);
  try {
    const request = {
      key,
      amountPaise: order.totalPaise,
      currency,
      orderId,
      holdUntil,
      itemCount,
      customer,
      callbackPath: callbackPath(link),
    };
    const end = await openRazorpayCheckout(request, onProblem);
    if (end.kind === 'dismissed') return 'open';
    if (end.proof) postPayment(link, end.proof);
    // Paid, but its proof could not be read: webhook or sweep confirm it.
    else leavePage(`${paymentPath(link)}&payment=pending`);
    return 'paid';
  } catch (error) {
    if (!(error instanceof PaymentError)) console.error('The payment could not be started', error);
    onProblem(
      error instanceof PaymentError
        ? error.message
        : 'The payment could not be started. Please try again.',
    );
    return 'open';
  }
}
