import * as z from 'zod/mini';
import { orderPatterns } from '../../../src/domain/admin/orders/order-search.ts';
import {
  listedOrderSchema,
  orderFilters,
  type OrderFilter,
  type OrderPage,
} from '../../../src/domain/admin/orders/orders.ts';
import { orderSchema } from '../../../src/domain/orders/order.ts';
import { callFunction } from '../platform/database.ts';
import { listedOrderOf } from './admin-order.ts';
import { limitOf, readCursor, writeCursor } from '../platform/cursor.ts';

const { refundedPaise, openRefund } = listedOrderSchema.shape;

const pageSchema = z.object({
  orders: z.array(z.object({ order: orderSchema, refundedPaise, openRefund })),
  counts: z.record(z.string(), z.int()),
});

/** Orders by stage, and beside them those with a refund that is not done; 'all' counts every stage once. */
function countsOf(counts: Readonly<Record<string, number>>): Record<OrderFilter, number> {
  const all = Object.entries(counts).reduce(
    (sum, [stage, n]) => (stage === 'refunds' ? sum : sum + n),
    0,
  );
  const entries = orderFilters.map((filter): [OrderFilter, number] => [
    filter,
    filter === 'all' ? all : (counts[filter] ?? 0),
  ]);
  return Object.fromEntries(entries) as Record<OrderFilter, number>;
}

const cursorSchema = z.tuple([z.iso.datetime({ offset: true }), z.int()]);

/** A page of orders for the query of the admin page. Throws 400 for a filter, cursor or limit that is none. */
export async function listOrders(query: URLSearchParams): Promise<OrderPage> {
  const filter = orderFilters.find((known) => known === query.get('filter')) ?? 'all';
  const limit = limitOf(query);
  const after = readCursor(query, cursorSchema);
  const patterns = orderPatterns(query.get('q') ?? '');
  const args = {
    p_filter: filter,
    p_all: patterns.all,
    p_any: patterns.any,
    p_after_at: after?.[0] ?? null,
    p_after_id: after?.[1] ?? null,
    p_limit: limit + 1,
  };
  const { orders, counts } = await callFunction('list_orders', args, pageSchema);
  const shown = orders
    .slice(0, limit)
    .map(({ order, ...refunds }) => listedOrderOf(order, refunds));
  const last = shown.at(-1);
  return {
    orders: shown,
    next: orders.length > limit && last ? writeCursor([last.createdAt, last.id]) : null,
    counts: countsOf(counts),
  };
}
