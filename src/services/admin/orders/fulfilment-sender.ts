import { ordersApi } from '#domain/admin/orders/orders-api.ts';
import type { FulfilmentChange } from '#domain/admin/orders/order-requests.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { changeOrder } from './orders.ts';
import { createUncheckedSender } from './unchecked-sender.ts';

/** Creates a sender of one order's steps. */
export const createFulfilmentSender = (
  id: number,
): ((change: FulfilmentChange) => Promise<AdminOrder>) =>
  createUncheckedSender((change) => changeOrder(ordersApi.changeFulfilment, id, change));
