import * as z from 'zod/mini';
import { orderPatterns } from '#domain/admin/orders/order-search.ts';
import {
  listedOrderSchema,
  orderFilters,
  type OrderFilter,
  type OrderPage,
} from '#domain/admin/orders/orders.ts';
import { orderSchema } from '#domain/orders/order.ts';
import { callFunction } from '#core/platform/database.ts';
import { listedOrderOf } from './admin-order.ts';
import { limitOf, readCursor, writeCursor } from '#core/platform/cursor.ts';

const { refundedPaise, openRefund, refundSums } = listedOrderSchema.shape;
const rowSchema = z.object({ order: orderSchema, refundedPaise, openRefund, refundSums });

const pageSchema = z.object({
  orders: z.array(rowSchema),
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

const timeSchema = z.iso.datetime({ offset: true });
/** The time by which the list is sorted, and the id of its last order; which part of 'refunds' that is in. */
const cursorSchema = z.union([
  z.tuple([timeSchema, z.int()]),
  z.tuple([timeSchema, z.int(), z.literal('refunded')]),
]);

const positionOf = ({
  order: { id, createdAt },
  refundSums: sums,
  part,
}: z.infer<typeof rowSchema> & { part: string }): z.infer<typeof cursorSchema> =>
  part === 'refunded' ? [sums?.lastAt ?? createdAt, Number(id), part] : [createdAt, Number(id)];

/** A page of orders for the query of the admin page. Throws 400 for a filter, cursor or limit that is none. */
export async function listOrders(query: URLSearchParams): Promise<OrderPage> {
  const filter = orderFilters.find((known) => known === query.get('filter')) ?? 'all';
  const limit = limitOf(query);
  const after = readCursor(query, cursorSchema);
  const patterns = orderPatterns(query.get('q') ?? '');
  const read = async (p_filter: OrderFilter | 'refunded', start: typeof after, count: number) => {
    const { orders, counts } = await callFunction(
      'list_orders',
      {
        p_filter,
        p_all: patterns.all,
        p_any: patterns.any,
        p_after_at: start?.[0] ?? null,
        p_after_id: start?.[1] ?? null,
        p_limit: count,
      },
      pageSchema,
    );
    return { orders: orders.map((row) => ({ ...row, part: p_filter })), counts };
  };
  const isSecondPart = after?.length === 3;
  const { orders, counts } = await read(isSecondPart ? 'refunded' : filter, after, limit + 1);
  // Refunded orders follow those whose refund waits.
  if (filter === 'refunds' && !isSecondPart && orders.length <= limit)
    orders.push(...(await read('refunded', null, limit + 1 - orders.length)).orders);
  const shown = orders.slice(0, limit);
  const last = orders.length > limit ? shown.at(-1) : undefined;
  return {
    orders: shown.map(({ order, refundedPaise, openRefund, refundSums }) =>
      listedOrderOf(order, { refundedPaise, openRefund, refundSums }),
    ),
    next: last ? writeCursor(positionOf(last)) : null,
    counts: countsOf(counts),
  };
}
