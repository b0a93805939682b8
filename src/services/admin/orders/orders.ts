import type * as z from 'zod/mini';
import type { Endpoint } from '#domain/admin/endpoint.ts';
import { ordersApi, type orderAnswerSchema } from '#domain/admin/orders/orders-api.ts';
import type { AdminOrder, ListedOrder, OrderPage } from '#domain/admin/orders/orders.ts';
import type { OrdersQuery } from '#domain/admin/orders/orders-address.ts';
import { callAdmin } from '#services/admin/api.ts';
import { pageQuery, type PageRequest } from '#services/admin/page-request.ts';

const pathOf = (id: number): string => `/api/admin/orders/${String(id)}`;

/** A part of the list of orders, newest first, with the counts of the filters. */
export interface OrdersPart {
  items: readonly ListedOrder[];
  next: string | null;
  counts: OrderPage['counts'];
}

/** Orders that match. Throws AdminError. */
export async function fetchAdminOrders(
  { filter, q }: OrdersQuery,
  page: PageRequest,
): Promise<OrdersPart> {
  const query = pageQuery(
    { ...(filter === 'all' ? {} : { filter }), ...(q === '' ? {} : { q }) },
    page,
  );
  const { orders, next, counts } = await callAdmin(ordersApi.list, { query, signal: page.signal });
  return { items: orders, next, counts };
}

/** Changes an order, e.g. `changeOrder(ordersApi.refund, 1001, request)`; returns it as it is then. Throws AdminError. */
export async function changeOrder<Body extends z.ZodMiniType>(
  endpoint: Endpoint<Body, typeof orderAnswerSchema>,
  id: number,
  body: z.input<Body>,
): Promise<AdminOrder> {
  const call = endpoint as Endpoint<z.ZodMiniType, typeof orderAnswerSchema>;
  return (await callAdmin(call, { params: { id }, body })).order;
}

/** Where a parcel waits before it is sent. */
export type WaitingStage = 'to_pack' | 'packed';

/** Orders that wait: the oldest of a stage, or the chosen ones of any. */
export type WaitingOrders =
  { stage: WaitingStage; chosen: null } | { stage: null; chosen: readonly number[] };

/** The query that names them. */
export const waitingQuery = ({ stage, chosen }: WaitingOrders): Record<string, string> =>
  chosen === null ? { stage } : { orders: chosen.join(',') };

/** Documents, opened in a tab of their own, and the accountant's files of a month. */
export const orderDocuments = {
  invoice: (id: number) => `${pathOf(id)}/invoice`,
  creditNote: (id: number) => `${pathOf(id)}/credit-note`,
  accounts: (month: string) => `/api/admin/orders.csv?${new URLSearchParams({ month }).toString()}`,
  gstr1: (month: string) => `/api/admin/gstr1.zip?${new URLSearchParams({ month }).toString()}`,
} as const;
