import * as z from 'zod/mini';
import type {
  CancelRequest,
  FulfilmentChange,
  RefundRequest,
} from '../../../domain/admin/orders/order-requests.ts';
import {
  adminOrderSchema,
  orderPageSchema,
  type AdminOrder,
  type ListedOrder,
  type OrderPage,
} from '../../../domain/admin/orders/orders.ts';
import type { NewOrder } from '../../../domain/admin/orders/new-order.ts';
import type { OrderDetailsChange } from '../../../domain/admin/orders/order-details.ts';
import type { OrdersQuery } from '../../../domain/admin/orders/orders-address.ts';
import { adminGet, adminSend } from '../api.ts';
import { pageQuery, type PageRequest } from '../page-request.ts';

const answerSchema = z.object({ order: adminOrderSchema });
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
  const { orders, next, counts } = await adminGet(
    `/api/admin/orders?${query}`,
    orderPageSchema,
    page.signal,
  );
  return { items: orders, next, counts };
}

/** One order with everything about it. Throws AdminError (404 when there is none). */
export async function fetchOrder(id: number, signal?: AbortSignal): Promise<AdminOrder> {
  return (await adminGet(pathOf(id), answerSchema, signal)).order;
}

/** Creates the order of a sale outside the shop, once for its key. Throws AdminError with what the admin can do. */
export async function createOrder(order: NewOrder): Promise<AdminOrder> {
  return (await adminSend('POST', '/api/admin/orders', order, answerSchema)).order;
}

async function act(id: number, action: string, body: unknown): Promise<AdminOrder> {
  return (await adminSend('POST', `${pathOf(id)}/${action}`, body, answerSchema)).order;
}

/** Moves an order on its way, or one step back. Throws AdminError (409 when it cannot go there). */
export const changeFulfilment = (id: number, change: FulfilmentChange) =>
  act(id, 'fulfilment', change);

/** Sends money back. The same key is one refund, however often it is sent. Throws AdminError. */
export const refundOrder = (id: number, request: RefundRequest) => act(id, 'refund', request);

/** Ends an order before it ships; the full amount goes back. Throws AdminError. */
export const cancelOrder = (id: number, request: CancelRequest) => act(id, 'cancel', request);

/** Ends the hold of an unpaid order, so that others can buy its stock. Throws AdminError (409 when it is being paid). */
export const endHold = (id: number) => act(id, 'release', {});

/** Corrects the customer's details, or writes the admin's note. Throws AdminError (409 when it is too late, or somebody else did). */
export const changeDetails = (id: number, changes: OrderDetailsChange) =>
  act(id, 'details', changes);

/** Mails the customer their invoice, once a minute at most. Throws AdminError (409 when it has none). */
export const mailInvoice = (id: number) => act(id, 'mail-invoice', {});

/** Ends the links to an order that were mailed so far: tracking, invoice, damage. */
export const withdrawLinks = (id: number) => act(id, 'withdraw-links', {});

/** Where a parcel waits before it is sent. */
export type WaitingStage = 'to_pack' | 'packed';

/** Orders that wait in a stage: the chosen ones, or the oldest. */
export interface WaitingOrders {
  stage: WaitingStage;
  /** Null for no choice. */
  chosen: readonly number[] | null;
}

/** The query that names them. */
export const waitingQuery = ({ stage, chosen }: WaitingOrders): Record<string, string> => ({
  stage,
  ...(chosen === null ? {} : { orders: chosen.join(',') }),
});

/** Documents, opened in a tab of their own, and the accountant's list of a month. */
export const orderDocuments = {
  invoice: (id: number) => `${pathOf(id)}/invoice`,
  creditNote: (id: number) => `${pathOf(id)}/credit-note`,
  packingSlips: (waiting: WaitingOrders) =>
    `/api/admin/packing-slips?${new URLSearchParams(waitingQuery(waiting)).toString()}`,
  labels: (waiting: WaitingOrders, sheet: 'a4' | 'thermal') =>
    `/api/admin/labels?${new URLSearchParams({ ...waitingQuery(waiting), sheet }).toString()}`,
  packingSlip: (id: number) => `${pathOf(id)}/packing-slip`,
  accounts: (month: string, list: 'documents' | 'hsn' | 'states') =>
    `/api/admin/orders.csv?${new URLSearchParams({ month, list }).toString()}`,
} as const;
