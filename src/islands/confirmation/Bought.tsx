import { formatDeliveryWindow } from '../../domain/checkout/delivery.ts';
import { addressOf, type OwnOrder } from '../../domain/orders/own-order.ts';
import { expectedDelivery } from '../../domain/orders/promised-delivery.ts';
import { OrderLines } from '../account/orders/OrderLines.tsx';

/** The bought items and total, the expected days and the address, and a link to the order. */
export function Bought({ order }: { order: OwnOrder }) {
  const expected = expectedDelivery(order);
  const facts = [
    ['Expected', expected === null ? '' : formatDeliveryWindow(expected)],
    ['Delivery to', order.handedOver ? '' : addressOf(order)],
  ] as const;
  return (
    <section className="panel text-left" aria-label="Your order">
      <OrderLines order={order} />
      <dl className="mt-4 grid gap-x-8 gap-y-2 border-t border-line pt-4 text-sm sm:grid-cols-2">
        {facts.map(([label, text]) =>
          text === '' ? null : (
            <div key={label}>
              <dt className="text-ink-500">{label}</dt>
              <dd className="font-medium break-words">{text}</dd>
            </div>
          ),
        )}
      </dl>
      <a className="btn btn-primary btn-block mt-5" href="/profile#orders">
        See your order
      </a>
    </section>
  );
}
