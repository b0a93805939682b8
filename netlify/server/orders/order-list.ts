import * as z from 'zod/mini';
import { orderPatterns } from '../../../src/domain/admin/order-search.ts';
import { orderFilters, type ListedOrder, type OrderFilter, type OrderPage } from '../../../src/domain/admin/orders.ts';
import { orderFromRow } from '../../../src/domain/orders/order.ts';
import { callFunction } from '../platform/database.ts';
import { totalQuantity } from './admin-order.ts';
import { limitOf, readCursor, writeCursor } from '../platform/cursor.ts';

const text = z.pipe(z.nullable(z.string()), z.transform((value) => value ?? ''));

const rowSchema = z.looseObject({
  id: z.int(),
  merchant_transaction_id: z.string(),
  created_at: z.string(),
  customer_name: text,
  customer_email: text,
  customer_phone: text,
  customer_city: text,
  notes: text,
  status: text,
  payment_status: text,
  fulfilment: z.enum(['new', 'packed', 'shipped', 'delivered', 'cancelled']),
  refunded_paise: z.int(),
});

const pageSchema = z.object({ rows: z.array(rowSchema), counts: z.record(z.string(), z.int()) });

function listedOrder(row: z.infer<typeof rowSchema>): ListedOrder {
  const { items, amount } = orderFromRow(row);
  return {
    id: row.id,
    number: row.merchant_transaction_id,
    createdAt: row.created_at,
    customerName: row.customer_name,
    customerEmail: row.customer_email,
    customerPhone: row.customer_phone,
    city: row.customer_city,
    status: row.status,
    paymentStatus: row.payment_status,
    fulfilment: row.fulfilment,
    totalPaise: amount,
    refundedPaise: row.refunded_paise,
    pieces: totalQuantity(items),
    firstItem: items[0]?.name ?? '',
    notes: row.notes,
  };
}

/** Orders by stage, and beside them those with a refund that is not done; 'all' counts every stage once. */
function countsOf(counts: Readonly<Record<string, number>>): Record<OrderFilter, number> {
  const all = Object.entries(counts).reduce((sum, [stage, n]) => (stage === 'refunds' ? sum : sum + n), 0);
  const entries = orderFilters.map((filter): [OrderFilter, number] => [filter, filter === 'all' ? all : (counts[filter] ?? 0)]);
  return Object.fromEntries(entries) as Record<OrderFilter, number>;
}

const cursorSchema = z.tuple([z.iso.datetime({ offset: true }), z.int()]);

/** A page of orders for the query of the admin page. Throws 400 for a filter, cursor or limit that is none. */
export async function listOrders(query: URLSearchParams): Promise<OrderPage> {
  const filter = orderFilters.find((known) => known === query.get('filter')) ?? 'all';
  const limit = limitOf(query);
  const before = readCursor(query, cursorSchema);
  const patterns = orderPatterns(query.get('q') ?? '');
  const args = {
    p_filter: filter,
    p_all: patterns.all,
    p_any: patterns.any,
    p_before_at: before?.[0] ?? null,
    p_before_id: before?.[1] ?? null,
    p_limit: limit + 1,
  };
  const { rows, counts } = await callFunction('list_orders', args, pageSchema);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    orders: shown.map(listedOrder),
    next: rows.length > limit && last ? writeCursor([last.created_at, last.id]) : null,
    counts: countsOf(counts),
  };
}
