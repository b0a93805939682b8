import { chargesOf } from '#domain/sums/charges.ts';
import { rowsPaise, sumRows, type Charge } from '#domain/sums/sum-rows.ts';
import { shop } from '#settings/shop.ts';
import type { Database } from '#local/shared/describe-database.ts';

export interface Line {
  product_id: string;
  size?: string;
  quantity: number;
}

export interface Answer {
  outcome: string;
  [key: string]: unknown;
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

export interface Placing extends Answer {
  order?: PlacedOrder;
}

export interface OpenOrder extends PlacedOrder {
  razorpay_order_id: string;
}

export interface PaidOrder extends OpenOrder {
  payment: string;
}

export interface PlaceOptions {
  key?: string;
  /** Paise; what the cart shows. Default: the right total. */
  expected?: number;
  /** What is charged beside the goods. Default: as the cart does for an order that is paid now. */
  charges?: readonly Charge[];
  /** Places it as the site of release 1.3.2 does, for a database of before. */
  ofBefore?: boolean;
  holdSeconds?: number;
  maxUnits?: number;
  /** A discount code; `expected` says then what the cart shows. */
  code?: string | null;
  /** The hash of the customer's network. */
  network?: string | null;
  details?: Readonly<Record<string, unknown>>;
}

export const customerDetails = {
  name: 'Anjali Menon',
  email: 'anjali@example.com',
  phone: '+91 98470 12345',
  address: 'House 12, Canal Road, Fort Kochi',
  city: 'Kochi',
  postal_code: '682001',
  notes: 'Please ring twice',
};

/** A product as the admin page sends it. */
const ring = {
  name: 'Lotus ring',
  description: 'Gold-plated brass',
  category: 'rings',
  price: 123_450,
  offerPrice: null as number | null,
  stock: 10,
  sizes: undefined as { size: string; stock: number }[] | undefined,
  hidden: false,
  images: ['products/a.webp'],
  imageAlts: ['A ring'],
  attributes: { metal: 'Brass', weight_g: 4.2 },
};

/** A product as the admin functions return it. */
export interface AdminProductRow {
  id: string;
  name: string;
  stock: number;
  sizes: { size: string; stock: number }[];
  hidden: boolean;
  deleted_at: string | null;
  price: number;
  updated_at: string;
  change_version: number;
  [column: string]: unknown;
}

export interface Outcome {
  outcome: string;
  product: AdminProductRow;
  fields_changed?: boolean;
  stock_changed?: boolean;
  visibility_changed?: boolean;
}

export interface Waiting {
  version: number;
  count: number;
  to_build: number;
  changes: { productId: string; name: string; kind: string; at: string }[];
}

const randomId = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 14);
export const newPaymentId = (): string => `pay_${randomId()}`;

/** A connection to a shop's database, with what its functions and its admin ask of it. */
export class ShopDatabase implements Database {
  readonly query: Database['query'];
  readonly run: Database['run'];

  constructor({ query, run }: Database) {
    this.query = query;
    this.run = run;
  }

  /** Lets every refund go out by itself, for tests in which one customer causes many. */
  async allowRefunds(): Promise<void> {
    await this.run(`update public.cost_limits set most = 1000000 where effect = 'fee_lost'`);
  }

  /** The first row of a query. Throws when there is none. */
  async one<Row extends object = Record<string, unknown>>(
    sql: string,
    ...values: readonly unknown[]
  ): Promise<Row> {
    const [row] = await this.query<Row>(sql, ...values);
    if (!row) throw new Error(`No row: ${sql}`);
    return row;
  }

  /** The first column of the first row. Throws when there is none. */
  async value<Value>(sql: string, ...values: readonly unknown[]): Promise<Value> {
    return Object.values(await this.one<Record<string, Value>>(sql, ...values))[0] as Value;
  }

  /** The first column of every row. */
  async column<Value>(sql: string, ...values: readonly unknown[]): Promise<Value[]> {
    const rows = await this.query<Record<string, Value>>(sql, ...values);
    return rows.map((row) => Object.values(row)[0] as Value);
  }

  addCustomer(email = `${crypto.randomUUID()}@example.com`): Promise<string> {
    return this.value(
      'insert into auth.users (email, email_confirmed_at) values ($1, now()) returning id',
      email,
    );
  }

  /** A product in the catalogue. Prices in rupees. */
  addProduct({
    price = 1_000,
    offerPrice = null,
    stock = 10,
    sizes = {},
  }: {
    price?: number;
    offerPrice?: number | null;
    stock?: number;
    sizes?: Readonly<Record<string, number>>;
  } = {}): Promise<string> {
    const list = Object.entries(sizes).map(([size, count]) => ({ size, stock: count }));
    return this.value(
      `insert into public.products (name, category, price, "offerPrice", stock, sizes, images)
       values ('Temple ring', 'rings', $1, $2, $3, $4::jsonb, '{products/ring.jpg}') returning id`,
      ...[price, offerPrice, stock, JSON.stringify(list)],
    );
  }

  /** The sizes of a product as 'size:stock', in their order, and behind '=' what `products.stock` says. */
  sizesOf(productId: string): Promise<string> {
    return this.value(
      `select coalesce((select string_agg((s ->> 'size') || ':' || (s ->> 'stock'), ' ') from jsonb_array_elements(sizes) s), '')
       || ' = ' || stock from public.products where id = $1`,
      productId,
    );
  }

  stockOf(productId: string): Promise<number> {
    return this.value('select stock from public.products where id = $1', productId);
  }

  /** The shop's price of these lines now, in paise. */
  async #totalOf(lines: readonly Line[], charges: readonly Charge[]): Promise<number> {
    let subtotal = 0;
    for (const { product_id: id, quantity } of lines) {
      const sql =
        'select (coalesce("offerPrice", price) * 100)::int from public.products where id = $1';
      subtotal += (await this.value<number>(sql, id)) * quantity;
    }
    return rowsPaise(sumRows(subtotal, null, charges));
  }

  /** Calls `place_order` as the functions do. */
  async place(customerId: string, lines: Line[], options: PlaceOptions = {}): Promise<Placing> {
    const {
      key = crypto.randomUUID(),
      charges = chargesOf({ way: 'now' }),
      expected = await this.#totalOf(lines, charges),
      holdSeconds = 900,
      maxUnits = 100_000,
      code = null,
      network = null,
      details = {},
      ofBefore = false,
    } = options;
    return this.value(
      ofBefore
        ? 'select public.place_order($1, $2, $3::jsonb, $4::jsonb, $5, $6, $7, p_max_units => $8, p_discount_code => $9, p_network => $10)'
        : `select public.place_order($1, $2, $3::jsonb, $4::jsonb, $5, p_charges => $6::jsonb, p_hold_seconds => $7, p_max_units => $8,
         p_discount_code => $9, p_network => $10)`,
      ...[
        customerId,
        key,
        JSON.stringify(lines),
        JSON.stringify({ ...customerDetails, ...details }),
      ],
      ...[expected, ofBefore ? shop.platformFeeBps : JSON.stringify(charges), holdSeconds],
      ...[maxUnits, code, network],
    );
  }

  /** Places an order that must succeed, and gives it a Razorpay order id. */
  async placeOpen(customerId: string, lines: Line[], options?: PlaceOptions): Promise<OpenOrder> {
    const { outcome, order } = await this.place(customerId, lines, options);
    if (!order) throw new Error(`Not placed: ${outcome}`);
    const id = `order_${randomId()}`;
    await this.query('select public.attach_razorpay_order($1, $2)', order.id, id);
    return { ...order, razorpay_order_id: id };
  }

  /** An open order of a new customer for units of one product. */
  async openOrder(productId: string, quantity = 1): Promise<OpenOrder> {
    return this.placeOpen(await this.addCustomer(), [{ product_id: productId, quantity }]);
  }

  /** An unpaid order that the admin made, with a payment link. Returns its id. */
  openLinkOrder(productId: string, totalPaise: number, reductionPaise = 0): Promise<number> {
    return this.value(
      `select (public.place_admin_order(gen_random_uuid(), $1::jsonb, $2::jsonb, 'whatsapp', false, $3, 0, 3600, null, null, $4, $5)
         #>> '{order,id}')::int`,
      JSON.stringify([{ product_id: productId, quantity: 1 }]),
      JSON.stringify({ ...customerDetails, email: '' }),
      ...[totalPaise, 'b'.repeat(32), reductionPaise],
    );
  }

  /** Calls `mark_paid` with a captured payment of the order, made at `madeAt`, or now; returns the outcome. */
  markPaid(
    order: { razorpay_order_id: string; total_paise: number },
    paymentId: string = newPaymentId(),
    {
      amount = order.total_paise,
      currency = 'INR',
      eventId = null as string | null,
      keyId = null as string | null,
      madeAt = null as string | null,
    } = {},
  ): Promise<string> {
    return this.value(
      `select public.mark_paid($1, $2, $3, $4, 'upi', $5, 'payment.captured', $6, $7, $8) ->> 'outcome'`,
      ...[order.razorpay_order_id, paymentId, amount, currency, eventId, keyId],
      shop.limits.lowStockBelow,
      madeAt,
    );
  }

  /** An order of a new customer, paid. */
  async buy(lines: Line[], expected?: number): Promise<PaidOrder> {
    const options = expected === undefined ? {} : { expected };
    const order = await this.placeOpen(await this.addCustomer(), lines, options);
    const payment = newPaymentId();
    const outcome = await this.markPaid(order, payment);
    if (outcome !== 'paid') throw new Error(`Not paid: ${outcome}`);
    return { ...order, payment };
  }

  /** Calls `release_order`; returns the outcome. */
  release(orderId: number, reason = 'expired'): Promise<string> {
    return this.value(`select public.release_order($1, $2) ->> 'outcome'`, orderId, reason);
  }

  orderRow(id: number): Promise<Record<string, unknown>> {
    return this.one('select * from public.orders where id = $1', id);
  }

  requestRefund(
    id: number,
    amount: number,
    {
      key = crypto.randomUUID(),
      restock = {},
      items = {},
    }: { key?: string; restock?: Record<string, number>; items?: Record<string, number> } = {},
  ): Promise<Answer> {
    return this.value(
      'select public.request_refund($1, $2, $3, $4, $5::jsonb, $6::jsonb)',
      ...[id, key, amount, 'A scratch', JSON.stringify(restock), JSON.stringify(items)],
    );
  }

  cancel(id: number, { restock = true, asked = true } = {}): Promise<Answer> {
    return this.value(
      'select public.cancel_order($1, $2, $3, $4, $5)',
      ...[id, crypto.randomUUID(), 'Sold in the shop', restock, asked],
    );
  }

  /** `paid` is what the customer saw of the order. */
  cancelOwn(
    customerId: string,
    id: number,
    paid: boolean,
    {
      asked = true,
      network = null,
      keepFee = false,
      document = '{}',
      revision = null,
    }: {
      asked?: boolean;
      network?: string | null;
      keepFee?: boolean;
      document?: string | null;
      revision?: string | null;
    } = {},
  ): Promise<Answer> {
    return this.value(
      'select public.cancel_own_order($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9)',
      ...[customerId, id, crypto.randomUUID(), paid, asked, network, keepFee, document, revision],
    );
  }

  setFulfilment(
    id: number,
    state: string,
    {
      carrier = 'India Post',
      number = 'EM1',
      document = '{}',
    }: { carrier?: string; number?: string; document?: string | null } = {},
  ): Promise<Answer> {
    return this.value(
      'select public.set_fulfilment($1, $2, $3, $4, null, $5::jsonb)',
      ...[id, state, carrier, number, document],
    );
  }

  assignInvoice(id: number): Promise<Answer & { invoice?: { number: string } }> {
    return this.value(`select public.assign_invoice($1, '{}')`, id);
  }

  /** The state of every refund of a payment, oldest first. */
  refundsOf(payment: string): Promise<{ id: number; amount: number; state: string }[]> {
    return this.query(
      'select id::int, amount_paise::int as amount, state from public.refunds where payment_id = $1 order by id',
      payment,
    );
  }

  /** Reports what the provider made of a refund. */
  finishRefund(id: number, refundId: string | null, error: string | null = null): Promise<unknown> {
    return this.query('select public.finish_refund($1, $2, $3)', id, refundId, error);
  }

  insertProduct(
    fields: Partial<typeof ring> = {},
    id: string = crypto.randomUUID(),
  ): Promise<Outcome> {
    const product = JSON.stringify({ ...ring, ...fields });
    return this.value('select public.insert_product($1, $2::jsonb)', id, product);
  }

  /** Saves `fields` over what was seen, as a form does that was opened on `seen`. */
  saveProduct(seen: AdminProductRow, fields: Partial<typeof ring> = {}): Promise<Outcome> {
    const { id, name, stock, hidden, sizes, updated_at: updatedAt } = seen;
    return this.value(
      'select public.save_product($1, $2::jsonb, $3::jsonb)',
      id,
      JSON.stringify({ ...ring, name, stock, hidden, ...fields }),
      JSON.stringify({ updatedAt, stock, sizes }),
    );
  }

  deleteProduct(id: string): Promise<boolean> {
    return this.value('select public.delete_product($1)', id);
  }

  restoreProduct(id: string): Promise<AdminProductRow | null> {
    return this.value('select public.restore_product($1)', id);
  }

  readProduct(id: string): Promise<AdminProductRow> {
    return this.value('select public.admin_product($1)', id);
  }

  unpublished(live: number, limit = 50): Promise<Waiting> {
    return this.value('select public.unpublished_changes($1, $2)', live, limit);
  }

  requestBuild(by: 'admin' | 'auto', live: number, quietSeconds = 0): Promise<number | null> {
    return this.value('select public.request_build($1, $2, $3)', by, live, quietSeconds);
  }

  recordDeploy(id: string, state: string, reason: string | null = null): Promise<number> {
    return this.value('select public.record_deploy($1, $2, $3)', id, state, reason);
  }
}
