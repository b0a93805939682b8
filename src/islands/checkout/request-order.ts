import type { Cart } from '#domain/cart/cart.ts';
import type { OrderChoices } from '#domain/sums/charges.ts';
import type { CartSummary } from '#domain/cart/cart-summary.ts';
import type { ConfirmedDetails } from '#domain/checkout/forms.ts';
import { checkAmount, checkCustomer, type CreatedOrder } from '#domain/checkout/payment.ts';
import { getAccessToken } from '#services/auth/account.ts';
import { createOrder, type OrderOutcome } from '#services/checkout/checkout.ts';
import { recordOrder, renewAttempt, startAttempt } from '#services/storage/checkout-attempt.ts';

/** The backend's response; `isNew` is false when this attempt already had its order. */
export type RequestedOrder =
  | Exclude<OrderOutcome, { outcome: 'placed' }>
  | { outcome: 'placed'; order: CreatedOrder; isNew: boolean };

/**
 * Requests an order for this cart, after the pre-checks of spec section 5. The same cart and details sent
 * again carry the same key, so a lost response never creates a second order. A used-up key is renewed once.
 * Throws a PaymentError with the message for the customer.
 */
export async function requestOrder(
  cart: Cart,
  { total, code }: CartSummary,
  details: ConfirmedDetails,
  choices: OrderChoices,
): Promise<RequestedOrder> {
  checkAmount(total);
  checkCustomer(details);
  const accessToken = await getAccessToken();
  if (accessToken === null) return { outcome: 'signed_out' };
  const lines = cart.items
    .filter((item) => item.quantity > 0)
    .map(({ id, size, quantity }) => ({ id, size, quantity }));
  const attempt = startAttempt(JSON.stringify({ lines, total, details, code, choices }));
  const ask = (idempotencyKey: string) =>
    createOrder({ details, lines, total, code, choices, idempotencyKey, accessToken });

  let current = attempt;
  let outcome = await ask(current.key);
  if (outcome.outcome === 'expired') {
    current = renewAttempt(current);
    outcome = await ask(current.key);
  }
  if (outcome.outcome === 'placed') {
    recordOrder(current, outcome.order.orderId, lines, outcome.order.holdUntil);
    return { ...outcome, isNew: outcome.order.orderId !== current.orderId };
  }
  return outcome;
}
