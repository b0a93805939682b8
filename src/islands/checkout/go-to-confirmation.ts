import { forgetAttempt } from '../../services/checkout/checkout-attempt.ts';
import { forgetCheckoutDraft } from '../../services/storage/stored-details.ts';
import { clearCart } from '../../stores/cart.ts';

/** After a payment: the cart is empty, the try is over, and the confirmation page tells the rest. */
export function goToConfirmation(orderId: string | null, paymentId: string | null, pending: boolean): void {
  clearCart();
  forgetAttempt();
  forgetCheckoutDraft();
  const query = new URLSearchParams();
  if (paymentId !== null) query.set('payment_id', paymentId);
  if (orderId !== null) query.set('order_id', orderId);
  if (pending) query.set('status', 'pending');
  window.location.assign(`/order-success?${query.toString()}`);
}
