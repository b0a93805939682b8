import * as z from 'zod/mini';
import { todaySchema, type Today } from '../../../src/domain/admin/today.ts';
import { orderSchema, totalQuantity, type Order } from '../../../src/domain/orders/order.ts';
import { shop } from '../../../src/shop.config.ts';
import { callFunction } from '../platform/database.ts';

// As the page gets it, but for the orders, whose items may be in any shape.
const answerSchema = z.object({
  ...todaySchema.shape,
  toPack: z.object({ count: z.int(), orders: z.array(orderSchema) }),
  holds: z.object({
    count: z.int(),
    orders: z.array(z.object({ order: orderSchema, heldSince: z.string(), heldUntil: z.string() })),
  }),
});

const shortOrder = (order: Order) => ({ id: Number(order.id), customerName: order.customerName, pieces: totalQuantity(order) });

/** What needs the admin's attention now. */
export async function readToday(): Promise<Today> {
  const args = { p_low_stock_below: shop.limits.lowStockBelow };
  const { toPack, holds, ...rest } = await callFunction('read_today', args, answerSchema);
  return {
    ...rest,
    toPack: { ...toPack, orders: toPack.orders.map((order) => ({ ...shortOrder(order), createdAt: order.createdAt })) },
    holds: { ...holds, orders: holds.orders.map(({ order, ...times }) => ({ ...shortOrder(order), ...times })) },
  };
}
