import { useEffect, useState } from 'react';
import { formatDeliveryWindow } from '../../domain/checkout/delivery.ts';
import type { OwnOrder } from '../../domain/orders/own-order.ts';
import { expectedDelivery } from '../../domain/orders/promised-delivery.ts';
import { OrderLines } from '../account/OrderLines.tsx';

/** The order as on the account page, loaded lazily. Null when it cannot be shown. */
async function fetchBought(orderId: string): Promise<OwnOrder | null> {
  try {
    const { fetchOwnOrder } = await import('../../services/orders/orders.ts');
    return await fetchOwnOrder(orderId);
  } catch (error) {
    console.info('The order could not be shown', error);
    return null;
  }
}

/** The bought items, total, expected day and a link to the order. `number` is null until the order is found. */
export function Bought({ orderId, number }: { orderId: string | null; number: string | null }) {
  const [order, setOrder] = useState<OwnOrder | null>(null);
  useEffect(() => {
    if (orderId === null || number === null) return;
    let current = true;
    void fetchBought(orderId).then((found) => {
      if (current) setOrder(found);
    });
    return () => {
      current = false;
    };
  }, [orderId, number]);
  if (order === null) return null;
  const expected = expectedDelivery(order);
  return (
    <section className="panel text-left" aria-label="Your order">
      <header className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 className="text-xl">Order #{order.id}</h2>
        <a className="link py-2.5" href="/profile#orders">
          See your order
        </a>
      </header>
      {expected === null ? null : <p className="mb-4">Expected {formatDeliveryWindow(expected)}</p>}
      <OrderLines order={order} />
    </section>
  );
}
