import type { OrderRefusal } from '#domain/checkout/order-outcome.ts';
import { forgetCheckout } from '#services/storage/checkout-attempt.ts';
import { clearCart } from './cart-changes.ts';
import { $discount } from './discount.ts';

/**
 * Ends a checkout. After a payment (`paid`, confirmed or not) the cart is emptied and its discount code, the attempt and
 * what was typed are forgotten. A refused discount code is forgotten alone. Every other end keeps all of them, the
 * hold on the stock too: a request that places no order changes nothing.
 */
export function endCheckout(end: OrderRefusal['outcome'] | 'dismissed'): void {
  if (end === 'paid' || end === 'discount') $discount.set(null);
  if (end !== 'paid') return;
  clearCart();
  forgetCheckout();
}
