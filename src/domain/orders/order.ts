import * as z from 'zod/mini';
import type { Paise } from '../money.ts';
import { deliveryFromRow, type Delivery } from './order-delivery.ts';
import { amountColumn, orderEntries, positive, readItem, textColumn, type OrderItem, type PriceLookup } from './order-item.ts';

export type { OrderItem, PriceLookup } from './order-item.ts';

/*
 * Orders are read from rows of several origins: this shop's own (paise columns, `items`), and imported ones with
 * `products` as a list or as JSON text, items wrapped in `raw`, and amounts under three names (spec sections 3, 9).
 * A shopper must see their order whatever else is in the row: an unreadable column counts as an empty one.
 */
const orderRowSchema = z.object({
  id: z.union([z.number(), z.string()]),
  created_at: z.catch(z.string(), ''),
  customer_name: textColumn,
  customer_email: textColumn,
  customer_phone: textColumn,
  items: z.optional(z.unknown()),
  products: z.optional(z.unknown()),
  amount: amountColumn,
  total_amount: amountColumn,
  payment_amount: amountColumn,
  status: textColumn,
  payment_status: textColumn,
  razorpay_order_id: textColumn,
  payment_id: textColumn,
});

export interface Order {
  id: string;
  createdAt: string;
  customerName: string;
  customerEmail: string;
  customerPhone: string;
  items: OrderItem[];
  /** Paise. */
  amount: Paise;
  status: OrderStatus;
  razorpayOrderId: string | null;
  paymentId: string | null;
  delivery: Delivery;
}

export interface OrderStatus {
  label: string;
  tone: 'green' | 'yellow' | 'red' | 'grey';
}

const completed: OrderStatus = { label: 'COMPLETED', tone: 'green' };
const pending: OrderStatus = { label: 'PENDING', tone: 'yellow' };
const failed: OrderStatus = { label: 'FAILED', tone: 'red' };
const normalStatus: ReadonlyMap<string, OrderStatus> = new Map([
  ['success', completed],
  ['captured', completed],
  ['completed', completed],
  ['pending', pending],
  ['created', pending],
  ['failed', failed],
  ['failure', failed],
]);

/** The status as displayed (spec section 4): known spellings in any case are normalised, missing is PENDING, others stay. */
export function orderStatus(raw: string | null | undefined): OrderStatus {
  const text = raw?.trim() ?? '';
  if (text === '') return pending;
  return normalStatus.get(text.toLowerCase()) ?? { label: text, tone: 'grey' };
}

/** Parses one row of `orders`. Throws a ZodError when not even an id can be read; `createdAt` may be empty. */
export function orderFromRow(row: unknown, prices: PriceLookup = new Map()): Order {
  const parsed = orderRowSchema.parse(row);
  const read = orderEntries(parsed).map((entry) => readItem(entry, prices));
  const sum = read.reduce((total, item) => total + item.price * item.quantity, 0);
  const amount = positive(parsed.amount, parsed.total_amount, parsed.payment_amount, sum);
  const quantity = read.reduce((total, item) => total + item.quantity, 0);
  return {
    id: String(parsed.id),
    createdAt: parsed.created_at,
    customerName: parsed.customer_name ?? '',
    customerEmail: parsed.customer_email ?? '',
    customerPhone: parsed.customer_phone ?? '',
    items: read.map((item) => {
      const estimated = item.price === 0;
      const price = estimated ? Math.round(amount / quantity) : item.price;
      return { ...item, price, lineTotal: price * item.quantity, estimated };
    }),
    amount,
    status: orderStatus(parsed.payment_status?.trim() ? parsed.payment_status : parsed.status),
    razorpayOrderId: parsed.razorpay_order_id,
    paymentId: parsed.payment_id,
    delivery: deliveryFromRow(row),
  };
}

const timeOf = (order: Order): number => Date.parse(order.createdAt) || 0;

/** Merges lists of orders by id, newest first (spec section 6); those without a readable date come last. */
export function mergeOrders(...lists: readonly (readonly Order[])[]): Order[] {
  const byId = new Map(lists.flat().map((order) => [order.id, order]));
  return [...byId.values()].sort((a, b) => timeOf(b) - timeOf(a));
}
