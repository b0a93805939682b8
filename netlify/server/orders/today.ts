import * as z from 'zod/mini';
import { paymentProblems, type Today } from '../../../src/domain/admin/today.ts';
import { orderFromRow } from '../../../src/domain/orders/order.ts';
import { shop } from '../../../src/shop.config.ts';
import { callFunction } from '../platform/database.ts';
import { totalQuantity } from './admin-order.ts';

const count = z.int();

const todayRowsSchema = z.object({
  to_pack: z.object({
    count,
    orders: z.array(z.looseObject({ id: z.int(), customer_name: z.nullable(z.string()), created_at: z.string() })),
  }),
  to_answer: z.object({
    count,
    messages: z.array(z.object({ id: z.int(), name: z.string(), subject: z.string(), created_at: z.string() })),
  }),
  low: z.object({ count, products: z.array(z.object({ id: z.string(), name: z.string(), stock: z.int() })) }),
  sold_out: z.object({ count, products: z.array(z.object({ id: z.string(), name: z.string() })) }),
  money: z.object({
    count,
    items: z.array(
      z.object({
        kind: z.enum(paymentProblems),
        payment_id: z.string(),
        order_id: z.nullable(z.int()),
        amount_paise: z.int(),
        at: z.string(),
        refundable: z.boolean(),
      }),
    ),
  }),
  holds: z.object({
    count,
    orders: z.array(
      z.looseObject({ id: z.int(), customer_name: z.nullable(z.string()), held_since: z.string(), hold_expires_at: z.string() }),
    ),
  }),
  unsent_mails: count,
  sales: z.object({ today_orders: count, today_paise: count, month_orders: count, month_paise: count }),
});

/** What needs the admin's attention now. */
export async function readToday(): Promise<Today> {
  const rows = await callFunction('read_today', { p_low_stock_below: shop.limits.lowStockBelow }, todayRowsSchema);
  const { to_pack: toPack, to_answer: toAnswer, low, sold_out: soldOut, money, sales } = rows;
  return {
    toPack: {
      count: toPack.count,
      orders: toPack.orders.map((row) => ({
        id: row.id,
        customerName: row.customer_name ?? '',
        pieces: totalQuantity(orderFromRow(row).items),
        createdAt: row.created_at,
      })),
    },
    toAnswer: {
      count: toAnswer.count,
      messages: toAnswer.messages.map(({ id, name, subject, created_at: createdAt }) => ({ id, name, subject, createdAt })),
    },
    low,
    soldOut,
    money: {
      count: money.count,
      items: money.items.map(({ kind, payment_id: paymentId, order_id: orderId, amount_paise: amountPaise, at, refundable }) => ({
        ...{ kind, paymentId, orderId, amountPaise, at, refundable },
      })),
    },
    holds: {
      count: rows.holds.count,
      orders: rows.holds.orders.map((row) => ({
        id: row.id,
        customerName: row.customer_name ?? '',
        pieces: totalQuantity(orderFromRow(row).items),
        heldSince: row.held_since,
        heldUntil: row.hold_expires_at,
      })),
    },
    unsentMails: rows.unsent_mails,
    sales: {
      todayOrders: sales.today_orders,
      todayPaise: sales.today_paise,
      monthOrders: sales.month_orders,
      monthPaise: sales.month_paise,
    },
  };
}
