import {
  isRefused,
  readPaymentOutcome,
  type PaymentOutcome,
} from '#domain/checkout/payment-outcome.ts';

/** The query of the confirmation page. Texts that cannot be an order or payment id are ignored. */
export interface OrderQuery {
  orderId: string | null;
  paymentId: string | null;
  pending: boolean;
  /** Why the payment will never be confirmed; null for any other. */
  refusal: PaymentOutcome | null;
}

// Anybody can write a link: ids of the shop and the provider only, so that no foreign sentence is shown as ours.
const idText = /^[\w-]{1,64}$/u;

/** Reads `order_id` (or `orderId`), `payment_id`, `status=pending` and `payment`, an outcome. */
export function readOrderQuery(search: string): OrderQuery {
  const query = new URLSearchParams(search);
  const id = (...names: string[]): string | null =>
    names.map((name) => query.get(name)?.trim() ?? '').find((text) => idText.test(text)) ?? null;
  const outcome = readPaymentOutcome(query.get('payment'));
  return {
    orderId: id('order_id', 'orderId'),
    paymentId: id('payment_id'),
    pending: query.get('status') === 'pending',
    refusal: outcome !== null && isRefused(outcome) ? outcome : null,
  };
}
