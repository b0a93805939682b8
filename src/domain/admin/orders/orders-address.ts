import { orderFilters, type OrderFilter } from './orders.ts';

/** The orders that the admin views, stored in the URL: `#orders?filter=to_pack&q=anjali`. */
export interface OrdersQuery {
  filter: OrderFilter;
  q: string;
}

/** Parses the query of an `#orders` URL. Ignores unknown values; the default is all orders. */
export function readOrdersHash(hash: string): OrdersQuery {
  const query = new URLSearchParams(/^#orders\?(.*)$/su.exec(hash)?.[1] ?? '');
  const filter = orderFilters.find((known) => known === query.get('filter')) ?? 'all';
  return { filter, q: query.get('q') ?? '' };
}

/** The address of a list of orders. */
export function ordersHash({ filter, q }: OrdersQuery): string {
  const query = new URLSearchParams();
  if (filter !== 'all') query.set('filter', filter);
  if (q.trim() !== '') query.set('q', q.trim());
  return query.size === 0 ? '#orders' : `#orders?${query.toString()}`;
}

/** The address of the form of a new order. */
export const newOrderHash = '#orders/new';

export const orderHash = (id: number): string => `#orders/${String(id)}`;
