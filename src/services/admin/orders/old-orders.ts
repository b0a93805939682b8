import * as z from 'zod/mini';
import {
  oldOrdersOutcomeSchema,
  oldOrdersSchema,
  type OldOrder,
  type OldOrdersOutcome,
} from '../../../domain/admin/orders/old-orders.ts';
import { adminGet, adminSend } from '../api.ts';

const path = '/api/admin/old-orders';

/** Old orders that match, newest first, from the `offset`th on; `total` counts all that match. Throws AdminError. */
export function fetchOldOrders(
  q: string,
  offset: number,
  signal?: AbortSignal,
): Promise<z.infer<typeof oldOrdersSchema>> {
  return adminGet(
    `${path}?${new URLSearchParams({ q: q.trim(), offset: String(offset) }).toString()}`,
    oldOrdersSchema,
    signal,
  );
}

/** Takes old orders in, all or none; unless `save` it only says what that would do. Throws AdminError. */
export function importOldOrders(
  orders: readonly OldOrder[],
  save: boolean,
): Promise<OldOrdersOutcome> {
  return adminSend('POST', path, { orders, save }, oldOrdersOutcomeSchema);
}

/** Forgets an old order. Throws AdminError. */
export async function removeOldOrder(number: string): Promise<void> {
  await adminSend('DELETE', path, { numbers: [number] }, z.object({ removed: z.int() }));
}
