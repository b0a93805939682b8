import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { todaySchema, type TodayAnswer } from '#domain/admin/today.ts';
import { orderSchema, totalQuantity, type Order } from '#domain/orders/order.ts';
import { shop } from '#settings/shop.ts';
import { callFunction } from '#core/platform/database.ts';

// The page's schema, but for the orders: their items may have any shape here.
const answerSchema = z.object({
  ...todaySchema.shape,
  toConfirm: z._default(z.object({ count: z.int(), orders: z.array(orderSchema) }), {
    count: 0,
    orders: [],
  }),
  toPack: z.object({ count: z.int(), orders: z.array(orderSchema) }),
  toShip: z.object({ count: z.int(), orders: z.array(orderSchema) }),
  changes: z.string(),
  holds: z.object({
    count: z.int(),
    orders: z.array(
      z.object({
        order: orderSchema,
        heldSince: z.string(),
        heldUntil: z.string(),
        takesLast: z._default(z.boolean(), false),
      }),
    ),
  }),
});

const shortOrder = (order: Order) => ({
  id: Number(order.id),
  customerName: order.customerName,
  pieces: totalQuantity(order),
});

/** Tasks that need the admin's attention now; left out when it is still the version that the page knows. */
export async function readToday(knownVersion: string | null): Promise<TodayAnswer> {
  const args = { p_low_stock_below: shop.limits.lowStockBelow };
  const answer = await callFunction('read_today', args, answerSchema);
  const version = createHash('sha256')
    .update(JSON.stringify(answer))
    .digest('base64url')
    .slice(0, 22);
  if (version === knownVersion) return { version, today: null };
  const { toConfirm, toPack, toShip, holds, changes: _changes, ...rest } = answer;
  const today = {
    ...rest,
    toConfirm: {
      ...toConfirm,
      orders: toConfirm.orders.map((order) => ({
        ...shortOrder(order),
        until: order.cash?.until ?? '',
      })),
    },
    toPack: {
      ...toPack,
      orders: toPack.orders.map((order) => ({ ...shortOrder(order), createdAt: order.createdAt })),
    },
    toShip: { ...toShip, orders: toShip.orders.map((order) => shortOrder(order)) },
    holds: {
      ...holds,
      orders: holds.orders.map(({ order, ...hold }) => ({ ...shortOrder(order), ...hold })),
    },
  };
  return { version, today };
}
