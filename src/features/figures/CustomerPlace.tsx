import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { customersHash, placeAmongOrders } from './domain/customers.ts';

/** Which of the customer's orders this is, with the link to the customer. */
export function CustomerPlace({ order }: { order: AdminOrder }) {
  const place = placeAmongOrders(order.customer);
  // More of the customers share a phone number than an address.
  const q = order.customerEmail || order.customerPhone;
  if (place === '') return null;
  return (
    <>
      {' · '}
      <a className="link inline-block py-2.5" href={customersHash({ q })}>
        {place}
      </a>
    </>
  );
}
