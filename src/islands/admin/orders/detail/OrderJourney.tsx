import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { indiaMoment } from '#domain/india-dates.ts';

/** The steps of an order that is sold: paid or confirmed, packed, shipped, delivered. */
export function OrderJourney({ order }: { order: AdminOrder }) {
  if (order.fulfilment === 'cancelled') {
    return order.cash !== null && order.shippedAt !== null ? (
      <p className="notice notice-danger mt-5">
        Came back unpaid{order.cancelledAt === null ? '' : `, ${indiaMoment(order.cancelledAt)}`}.
      </p>
    ) : (
      <p className="notice notice-danger mt-5">
        Cancelled{order.cancelledAt === null ? '' : ` on ${indiaMoment(order.cancelledAt)}`}.
        Nothing is to be sent.
      </p>
    );
  }
  if (order.fulfilment === 'unknown') {
    return (
      <p className="notice notice-danger mt-5">
        This page does not know the state of this order: the database is newer. Do not pack or send
        it now. Reload the page when the new version is published.
      </p>
    );
  }
  if (order.cash?.state === 'to_confirm') return null;
  if (order.fulfilment === 'new' && !order.sold) {
    const why =
      order.cash?.state === 'ended'
        ? 'This order has ended unpaid.'
        : order.paidAt === null
          ? 'This order is not paid.'
          : 'The payment of this order went back.';
    return <p className="notice mt-5">{why} There is nothing to pack.</p>;
  }
  const ways = ['new', 'packed', 'shipped', 'delivered'] as const;
  const reached = ways.indexOf(order.fulfilment);
  const steps = [
    order.cash === null
      ? ['Paid', order.paidAt ?? order.createdAt]
      : ['Confirmed', order.cash.confirmedAt],
    ['Packed', order.packedAt],
    ['Shipped', order.shippedAt],
    ['Delivered', order.deliveredAt],
  ] as const;
  return (
    <>
      <ol className="journey" aria-label="Progress">
        {steps.map(([name, at], index) => (
          <li
            key={name}
            data-done={index <= reached}
            aria-current={index === reached ? 'step' : undefined}
          >
            <span className="journey-name">{name}</span>
            {index <= reached && at !== null ? (
              <time className="block max-w-36 text-xs/[1.35]" dateTime={at}>
                {indiaMoment(at)}
              </time>
            ) : null}
            {index > reached ? <span className="visually-hidden">not yet</span> : null}
          </li>
        ))}
      </ol>
      {order.trackingNumber === null || reached < 2 ? null : <Parcel order={order} />}
    </>
  );
}

function Parcel({ order }: { order: AdminOrder }) {
  return (
    <p className="mt-3 text-sm break-words">
      {order.carrier}, tracking <span className="font-medium">{order.trackingNumber}</span>
      {order.trackingUrl === null ? null : (
        <>
          {' · '}
          <a className="link" href={order.trackingUrl} target="_blank" rel="noopener noreferrer">
            Follow the parcel<span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        </>
      )}
    </p>
  );
}
