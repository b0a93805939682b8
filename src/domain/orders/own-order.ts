import * as z from 'zod/mini';
import { createReader } from '../reader.ts';
import { deliveryOf } from './order-delivery.ts';
import type { PriceLookup } from './order-item.ts';
import { orderRowSchema } from './order-row.ts';
import { orderStatus } from './order-status.ts';
import { readAmounts, refundOf, type Order } from './order.ts';

/** What customers see of their own orders. Amounts in paise. */
export type OwnOrder = Pick<
  Order,
  | 'id'
  | 'createdAt'
  | 'customerName'
  | 'customerPhone'
  | 'items'
  | 'discountCode'
  | 'discount'
  | 'fee'
  | 'amount'
  | 'status'
  | 'refund'
  | 'paidAt'
  | 'delivery'
  | 'deliveryNotice'
  | 'handedOver'
>;

const reader = createReader(
  z.pick(orderRowSchema, {
    id: true,
    created_at: true,
    customer_name: true,
    customer_phone: true,
    items: true,
    products: true,
    subtotal_paise: true,
    discount_code: true,
    discount_paise: true,
    fee_paise: true,
    amount: true,
    total_amount: true,
    payment_amount: true,
    status: true,
    payment_status: true,
    paid_at: true,
    fulfilment: true,
    carrier: true,
    tracking_number: true,
    tracking_url: true,
    packed_at: true,
    shipped_at: true,
    delivered_at: true,
    cancelled_at: true,
    invoice_number: true,
    delivery_notice: true,
    hand_over: true,
  }),
);

/** The columns of `orders` that `ownOrderFromRow` needs. */
export const ownOrderColumns = reader.columns;

/** Parses one row of the customer's own orders. @throws a ZodError when the row has no id. */
export function ownOrderFromRow(value: unknown, prices: PriceLookup = new Map()): OwnOrder {
  const row = reader.parse(value);
  const { items, discount, fee, amount } = readAmounts(row, prices);
  return {
    id: String(row.id),
    createdAt: row.created_at ?? '',
    customerName: row.customer_name ?? '',
    customerPhone: row.customer_phone ?? '',
    items,
    discountCode: row.discount_code,
    discount,
    fee,
    amount,
    status: orderStatus(row.payment_status?.trim() ? row.payment_status : row.status),
    refund: refundOf(row.payment_status),
    paidAt: row.paid_at,
    delivery: deliveryOf(row),
    deliveryNotice: row.delivery_notice,
    handedOver: row.hand_over,
  };
}

const timeOf = (order: OwnOrder): number => Date.parse(order.createdAt) || 0;

/** Merges lists of orders by id, newest first (spec section 6). Orders without a readable date come last. */
export function mergeOrders(...lists: readonly (readonly OwnOrder[])[]): OwnOrder[] {
  const byId = new Map(lists.flat().map((order) => [order.id, order]));
  return [...byId.values()].sort((a, b) => timeOf(b) - timeOf(a));
}
