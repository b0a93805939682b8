import * as z from 'zod/mini';
import { ordinalNumber } from '#domain/ordinal.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { reads } from '#domain/admin/endpoint.ts';

/** How a list of customers can be sorted, descending. */
export const customerSorts = ['recent', 'spent', 'orders'] as const;
export type CustomerSort = (typeof customerSorts)[number];

export const customerSchema = z.object({
  /** Name and ways to reach them as in their last order; '' for none. */
  name: z.string(),
  phone: z.string(),
  email: z.string(),
  city: z.string(),
  account: z.boolean(),
  /** Paid orders, without those that were cancelled or refunded in full. */
  orders: z.int(),
  /** Payments less refunds. */
  paise: z.int(),
  firstAt: z.string(),
  lastAt: z.string(),
  lastOrderId: z.int(),
});
export type Customer = z.infer<typeof customerSchema>;

/** A page of customers; `total` counts all that match. */
export const customerPageSchema = z.object({
  total: z.int(),
  customers: z.array(customerSchema),
  next: z.nullable(z.string()),
});
export type CustomerPage = z.infer<typeof customerPageSchema>;

const ordinals = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];

/** 3 → 'third'; 21 → '21st'. */
const ordinal = (n: number): string => ordinals[n - 1] ?? ordinalNumber(n);

/** 'third order', or what the customer bought apart from this order; '' when there is nothing to show. */
export function placeAmongOrders({ nth, orders }: AdminOrder['customer']): string {
  if (nth !== null) return `${ordinal(nth)} order`;
  if (orders === 0) return '';
  return orders === 1 ? 'bought once' : `bought ${String(orders)} times`;
}

/** The customers that the admin views, stored in the URL: `#customers?sort=spent&q=anjali`. */
export interface CustomersQuery {
  sort: CustomerSort;
  q: string;
}

/** Parses the query of a `#customers` URL. Ignores unknown values; the default is all, latest customers first. */
export function readCustomersHash(hash: string): CustomersQuery {
  const query = new URLSearchParams(/^#customers\?(.*)$/su.exec(hash)?.[1] ?? '');
  return {
    sort: customerSorts.find((known) => known === query.get('sort')) ?? 'recent',
    q: query.get('q') ?? '',
  };
}

/** The address of a list of customers. */
export function customersHash({ sort = 'recent', q = '' }: Partial<CustomersQuery>): string {
  const query = new URLSearchParams({
    ...(sort === 'recent' ? {} : { sort }),
    ...(q.trim() === '' ? {} : { q: q.trim() }),
  });
  return query.size === 0 ? '#customers' : `#customers?${query.toString()}`;
}

export const customersApi = {
  /** Takes the query `q`, `sort`, `cursor` and `limit`. */
  list: reads('/api/admin/customers', customerPageSchema),
};
