import { addressOf, type OwnOrder } from '#domain/orders/own-order.ts';
import { askLinks } from '#domain/orders/own-order-progress.ts';
import { expectedDays } from '#domain/orders/promised-delivery.ts';
import { CashNote } from '#islands/account/orders/CashNote.tsx';
import { OrderProgress } from '#islands/account/orders/OrderProgress.tsx';
import { OrderLines } from '#islands/account/orders/OrderLines.tsx';

/** The bought items and total, the expected days and the address, and a link to the order. */
export function Bought({ order }: { order: OwnOrder }) {
  const facts = [
    ['Expected', expectedDays(order)],
    ['Delivery to', order.handedOver ? '' : addressOf(order)],
    ['A gift for', [order.recipientName, order.recipientPhone].filter(Boolean).join(', ')],
    ['Gift note', order.giftNote],
  ] as const;
  return (
    <section className="panel text-left" aria-label="Your order">
      <OrderProgress order={order} />
      <CashNote order={order} />
      <div className="mt-5">
        <OrderLines order={order} />
      </div>
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
      <a
        className="btn btn-quiet btn-block mt-2"
        href={askLinks(order).whatsapp}
        target="_blank"
        rel="noopener noreferrer"
      >
        Ask on WhatsApp<span className="visually-hidden"> (opens in a new tab)</span>
      </a>
    </section>
  );
}
