import * as z from 'zod/mini';
import { paiseFromRupees, type Paise } from './money.ts';

/*
 * Orders are read from rows of several origins: this shop's own (paise columns, `items`), and imported ones with
 * `products` as a list or as JSON text, items wrapped in `raw`, and amounts under three names (spec sections 3, 9).
 * A shopper must see their order whatever else is in the row: an unreadable column counts as an empty one.
 */
const amountColumn = z.catch(
  z.pipe(
    z.union([z.number(), z.string()]),
    z.transform((value): Paise | null => paiseFromRupees(value)),
  ),
  null,
);
const textColumn = z.catch(z.nullable(z.string()), null);

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

const orderItemSchema = z.object({
  name: textColumn,
  quantity: z.catch(z.nullable(z.union([z.number(), z.string()])), null),
  price: amountColumn,
  product_id: z.catch(z.nullable(z.union([z.string(), z.number()])), null),
  product: z.catch(
    z.nullable(z.object({ name: textColumn, price: amountColumn, offerPrice: amountColumn })),
    null,
  ),
});

/** A line of a past order. Prices in paise; `estimated` when no price was recorded. */
export interface OrderItem {
  name: string;
  quantity: number;
  price: Paise;
  lineTotal: Paise;
  estimated: boolean;
  productId: string | null;
}

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

/** Prices of the present catalogue by product id, for items that recorded none. Paise. */
export type PriceLookup = ReadonlyMap<string, { price: Paise; offerPrice: Paise | null }>;

/** Unwraps a list, JSON text of a list, or neither (an empty list). */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

const saysNothing: ReadonlySet<unknown> = new Set([undefined, null, '', 0]);

/** The facts of an item, those of its `raw` sub-object where the item itself says nothing. */
function unwrapRaw(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || !('raw' in entry)) return entry;
  const { raw, ...outer } = entry;
  if (typeof raw !== 'object' || raw === null) return outer;
  return { ...raw, ...Object.fromEntries(Object.entries(outer).filter(([, value]) => !saysNothing.has(value))) };
}

const positive = (...amounts: (Paise | null | undefined)[]): Paise =>
  amounts.find((amount) => typeof amount === 'number' && amount > 0) ?? 0;

function readItem(entry: unknown, prices: PriceLookup): Omit<OrderItem, 'lineTotal' | 'estimated'> {
  const parsed = orderItemSchema.safeParse(unwrapRaw(entry));
  if (!parsed.success) return { name: 'Unknown Item', quantity: 1, price: 0, productId: null };
  const item = parsed.data;
  const productId = item.product_id === null ? null : String(item.product_id);
  const known = productId === null ? undefined : prices.get(productId);
  const quantity = Number(item.quantity ?? 1);
  return {
    name: [item.name, item.product?.name].find((name) => name?.trim()) ?? 'Unknown Item',
    quantity: Number.isSafeInteger(quantity) && quantity > 0 ? quantity : 1,
    price: positive(item.price, item.product?.offerPrice, item.product?.price, known?.offerPrice, known?.price),
    productId,
  };
}

/** Parses one row of `orders`. Throws a ZodError when not even an id can be read; `createdAt` may be empty. */
export function orderFromRow(row: unknown, prices: PriceLookup = new Map()): Order {
  const parsed = orderRowSchema.parse(row);
  const own = listOf(parsed.items);
  const read = (own.length > 0 ? own : listOf(parsed.products)).map((entry) => readItem(entry, prices));
  const sum = read.reduce((total, item) => total + item.price * item.quantity, 0);
  const amount = positive(parsed.amount, parsed.total_amount, parsed.payment_amount, sum);
  const pieces = read.reduce((total, item) => total + item.quantity, 0);
  return {
    id: String(parsed.id),
    createdAt: parsed.created_at,
    customerName: parsed.customer_name ?? '',
    customerEmail: parsed.customer_email ?? '',
    customerPhone: parsed.customer_phone ?? '',
    items: read.map((item) => {
      const estimated = item.price === 0;
      const price = estimated ? Math.round(amount / pieces) : item.price;
      return { ...item, price, lineTotal: price * item.quantity, estimated };
    }),
    amount,
    status: orderStatus(parsed.payment_status?.trim() ? parsed.payment_status : parsed.status),
    razorpayOrderId: parsed.razorpay_order_id,
    paymentId: parsed.payment_id,
  };
}

const timeOf = (order: Order): number => Date.parse(order.createdAt) || 0;

/** Merges lists of orders by id, newest first (spec section 6); those without a readable date come last. */
export function mergeOrders(...lists: readonly (readonly Order[])[]): Order[] {
  const byId = new Map(lists.flat().map((order) => [order.id, order]));
  return [...byId.values()].sort((a, b) => timeOf(b) - timeOf(a));
}
