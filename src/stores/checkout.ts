import { forgetCheckout } from '../services/checkout/checkout-attempt.ts';
import { clearCart } from './cart.ts';
import { $discount } from './discount.ts';

/** After a payment: empties the cart and forgets its discount code, the attempt and what was typed. */
export function endCheckout(): void {
  clearCart();
  $discount.set(null);
  forgetCheckout();
}
