/** What the address of the confirmation page says. Texts that no order or payment id can be are left out. */
export interface OrderQuery {
  orderId: string | null;
  paymentId: string | null;
  pending: boolean;
}

// Anybody can write a link: ids of the shop and the provider only, so that no foreign sentence is shown as ours.
const idText = /^[\w-]{1,64}$/u;

/** Reads the query `order_id` (or `orderId`), `payment_id` and `status=pending`. */
export function readOrderQuery(search: string): OrderQuery {
  const query = new URLSearchParams(search);
  const id = (...names: string[]): string | null =>
    names.map((name) => query.get(name)?.trim() ?? '').find((text) => idText.test(text)) ?? null;
  return {
    orderId: id('order_id', 'orderId'),
    paymentId: id('payment_id'),
    pending: query.get('status') === 'pending',
  };
}
