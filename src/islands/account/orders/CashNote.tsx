import { cashNote } from '#domain/orders/own-order-progress.ts';
import type { OwnOrder } from '#domain/orders/own-order.ts';

/** What the customer of an order that is paid at the door has to know now. Renders nothing for any other. */
export function CashNote({ order }: { order: OwnOrder }) {
  const note = cashNote(order);
  return note === null ? null : <p className="mt-4 bg-mist p-4 text-sm first:mt-0">{note}</p>;
}
