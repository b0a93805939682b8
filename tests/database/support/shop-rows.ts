import { platformFee } from '../../../src/domain/money.ts';
import { checkoutSettings } from '../../../src/domain/checkout/checkout-settings.ts';
import { shop } from '../../../src/shop.config.ts';
import { one, type Database } from './database.ts';

export interface Line {
  product_id: string;
  size?: string;
  quantity: number;
}

/** An order as `place_order` returns it. */
export interface PlacedOrder {
  id: number;
  merchant_transaction_id: string;
  razorpay_order_id: string | null;
  payment_id: string | null;
  total_paise: number;
  currency: string;
}

export interface Placing {
  outcome: string;
  order?: PlacedOrder;
  [key: string]: unknown;
}

export const customer = {
  name: 'Anjali Menon',
  email: 'anjali@example.com',
  phone: '+91 98470 12345',
  address: 'House 12, Canal Road, Fort Kochi',
  city: 'Kochi',
  postal_code: '682001',
  notes: 'Please ring twice',
};

export async function addShopper(
  database: Database,
  email = `${crypto.randomUUID()}@example.com`,
): Promise<string> {
  const sql = 'insert into auth.users (email, email_confirmed_at) values ($1, now()) returning id';
  return (await one<{ id: string }>(database, sql, email)).id;
}

/** A piece in the catalogue. Prices in rupees. */
export async function addProduct(
  database: Database,
  {
    price = 1_000,
    offerPrice = null,
    stock = 10,
    sizes = {},
  }: {
    price?: number;
    offerPrice?: number | null;
    stock?: number;
    sizes?: Readonly<Record<string, number>>;
  } = {},
): Promise<string> {
  const sql = `insert into public.products (name, category, price, "offerPrice", stock, sizes, images)
    values ('Temple ring', 'rings', $1, $2, $3, $4::jsonb, '{products/ring.jpg}') returning id`;
  const list = JSON.stringify(
    Object.entries(sizes).map(([size, count]) => ({ size, stock: count })),
  );
  return (await one<{ id: string }>(database, sql, price, offerPrice, stock, list)).id;
}

/** The sizes of a product as 'size:stock', in their order, and behind '=' what `products.stock` says. */
export async function sizesOf(database: Database, productId: string): Promise<string> {
  const sql = `select (select string_agg((s ->> 'size') || ':' || (s ->> 'stock'), ' ') from jsonb_array_elements(sizes) s) as sizes, stock
    from public.products where id = $1`;
  const { sizes, stock } = await one<{ sizes: string | null; stock: number }>(
    database,
    sql,
    productId,
  );
  return `${sizes ?? ''} = ${String(stock)}`;
}

export async function stockOf(database: Database, productId: string): Promise<number> {
  return (
    await one<{ stock: number }>(
      database,
      'select stock from public.products where id = $1',
      productId,
    )
  ).stock;
}

/** What the shop charges for these lines now, in paise. */
async function totalOf(database: Database, lines: readonly Line[]): Promise<number> {
  let subtotal = 0;
  for (const { product_id: id, quantity } of lines) {
    const sql =
      'select (coalesce("offerPrice", price) * 100)::int as paise from public.products where id = $1';
    subtotal += (await one<{ paise: number }>(database, sql, id)).paise * quantity;
  }
  return subtotal + platformFee(subtotal, shop.platformFeeBps);
}

export interface PlaceOptions {
  key?: string;
  /** Paise; what the cart shows. Default: the right total. */
  expected?: number;
  holdSeconds?: number;
  maxHoldSeconds?: number;
  maxUnits?: number;
  /** A discount code; `expected` says then what the cart shows. */
  code?: string | null;
  /** The hash of the shopper's network. */
  network?: string | null;
  details?: Readonly<Record<string, unknown>>;
}

/** Calls `place_order` as the functions do. */
export async function place(
  database: Database,
  shopperId: string,
  lines: Line[],
  options: PlaceOptions = {},
): Promise<Placing> {
  const {
    key = crypto.randomUUID(),
    expected,
    holdSeconds = 900,
    maxHoldSeconds = checkoutSettings.maxHoldSeconds,
    maxUnits = 100_000,
    code = null,
    network = null,
    details = {},
  } = options;
  const sql =
    'select public.place_order($1, $2, $3::jsonb, $4::jsonb, $5, $6, $7, $8, $9, p_discount_code => $10, p_network => $11) as answer';
  const row = await one<{ answer: Placing }>(
    database,
    sql,
    shopperId,
    key,
    JSON.stringify(lines),
    JSON.stringify({ ...customer, ...details }),
    expected ?? (await totalOf(database, lines)),
    shop.platformFeeBps,
    holdSeconds,
    Math.max(maxHoldSeconds, holdSeconds),
    maxUnits,
    code,
    network,
  );
  return row.answer;
}

/** Places an order that must succeed, and gives it a Razorpay order id. */
export async function placeOpen(
  database: Database,
  shopperId: string,
  lines: Line[],
  options: PlaceOptions = {},
): Promise<PlacedOrder & { razorpay_order_id: string }> {
  const { outcome, order } = await place(database, shopperId, lines, options);
  if (!order) throw new Error(`Not placed: ${outcome}`);
  const id = `order_${crypto.randomUUID().replaceAll('-', '').slice(0, 14)}`;
  await database.query('select public.attach_razorpay_order($1, $2)', order.id, id);
  return { ...order, razorpay_order_id: id };
}

export const newPaymentId = (): string =>
  `pay_${crypto.randomUUID().replaceAll('-', '').slice(0, 14)}`;

/** Calls `mark_paid` with a captured payment of the order; returns the outcome. */
export async function markPaid(
  database: Database,
  order: { razorpay_order_id: string; total_paise: number },
  paymentId: string = newPaymentId(),
  {
    amount = order.total_paise,
    currency = 'INR',
    eventId = null as string | null,
    keyId = null as string | null,
  } = {},
): Promise<string> {
  const sql = `select public.mark_paid($1, $2, $3, $4, 'upi', $5, 'payment.captured', $6, ${String(shop.limits.lowStockBelow)}) ->> 'outcome' as outcome`;
  return (
    await one<{ outcome: string }>(
      database,
      sql,
      order.razorpay_order_id,
      paymentId,
      amount,
      currency,
      eventId,
      keyId,
    )
  ).outcome;
}

/** Calls `release_order`; returns the outcome. */
export async function release(
  database: Database,
  orderId: number,
  reason = 'expired',
): Promise<string> {
  const sql = `select public.release_order($1, $2) ->> 'outcome' as outcome`;
  return (await one<{ outcome: string }>(database, sql, orderId, reason)).outcome;
}

export const orderRow = (database: Database, id: number): Promise<Record<string, unknown>> =>
  one(database, 'select * from public.orders where id = $1', id);
