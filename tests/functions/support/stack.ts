import type { Context } from '@netlify/functions';
import { afterAll, inject, vi } from 'vitest';
import { platformFee } from '#domain/sums/platform-fee.ts';
import { categories } from '#domain/catalogue/category.ts';
import { shop } from '#settings/shop.ts';
import createOrderEndpoint from '#netlify/functions/payment-create-order.ts';
import sweepEndpoint from '#netlify/functions/payment-sweep.ts';
import { openAccounts, type Customer } from './accounts.ts';
import { readImage } from './database-image.ts';
import { secretKey, startDatabase, type DatabaseServer } from './database-server.ts';
import { startMailServer, type MailServer } from './mail-server.ts';
import { pathParameters } from './functions.ts';
import {
  keyId,
  keySecret,
  startRazorpay,
  webhookSecret,
  type RazorpayServer,
} from './razorpay-server.ts';

export type Endpoint = (request: Request, context: Context) => Promise<Response>;

export type { Customer } from './accounts.ts';

/** An answer with its body read; `json` is an empty object when the body is none. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  bytes: Uint8Array;
  json: Readonly<Record<string, unknown>>;
}

type CallOptions = RequestInit & { token?: string; context?: object };
type PostOptions = Omit<CallOptions, 'headers'> & { headers?: Record<string, string> };

export interface Line {
  product_id: string;
  size?: string;
  quantity: number;
}

/** An order that waits for its payment, of a product of its own. */
export interface OpenOrder {
  customer: Customer;
  number: number;
  razorpayOrderId: string;
  ring: string;
}

export interface Stack {
  database: DatabaseServer;
  razorpay: RazorpayServer;
  mail: MailServer;
  /** Lines that the functions logged. */
  logs: string[];
  signUp: () => Promise<Customer>;
  /** A product in the catalogue; prices in rupees. Returns its id. */
  addProduct: (product?: {
    price?: number;
    offerPrice?: number | null;
    stock?: number;
    sizes?: readonly { size: string; stock: number }[];
    name?: string;
  }) => Promise<string>;
  /** Runs SQL as the database's admin, past every policy. */
  sql: DatabaseServer['sql'];
  /** The first column of the first row. Throws when there is none. */
  value: <Value>(query: string, ...values: readonly unknown[]) => Promise<Value>;
  /** The first column of every row. */
  column: <Value>(query: string, ...values: readonly unknown[]) => Promise<Value[]>;
  call: (endpoint: Endpoint, path: string, init?: CallOptions) => Promise<Answer>;
  /** A POST of JSON. */
  post: (endpoint: Endpoint, path: string, body: unknown, init?: PostOptions) => Promise<Answer>;
  /** POST create-order as the shop's page does it; `body` overwrites single fields. */
  createOrder: (
    customer: Customer,
    lines: Line[],
    options?: { key?: string; body?: Record<string, unknown>; limited?: boolean },
  ) => Promise<Answer>;
  /** Orders one unit of a new product; `customer` is a new one, `stock` five and `price` ₹1,000 unless they are given. */
  openOrder: (order?: {
    customer?: Customer;
    price?: number;
    stock?: number;
    quantity?: number;
  }) => Promise<OpenOrder>;
  /** Runs the scheduled sweep once. */
  sweep: () => Promise<Answer>;
  /** The cart's total for these lines, in rupees. */
  totalOf: (lines: Line[]) => Promise<number>;
  stockOf: (productId: string) => Promise<number>;
  /** The one row of `orders` with this number. */
  orderRow: (number: unknown) => Promise<Record<string, unknown>>;
}

export const customerDetails = {
  customer_name: 'Anjali Menon',
  customer_email: 'anjali@example.com',
  customer_phone: '+91 98470 12345',
  customer_address: 'House 12, Canal Road, Fort Kochi',
  customer_city: 'Kochi',
  customer_postal_code: '682001',
  notes: 'Please ring twice',
};

/** The secret of Auth's hooks. */
export const hookSecret = `v1,whsec_${Buffer.from('hook-secret-0123456789-0123456789').toString('base64')}`;

/** Texts that nobody may see: secrets in answers or logs, and the customer's words in logs. */
const canaries = ['canary', secretKey, keySecret, webhookSecret, hookSecret];
const personal = [
  customerDetails.customer_name,
  'anjali@example',
  '98470',
  'Canal Road',
  customerDetails.notes,
  'Bearer ',
  'eyJ',
];

type Servers = Pick<Stack, 'database' | 'razorpay' | 'mail'>;

let servers: Promise<Servers> | undefined;

/** One set of servers for all test files of a worker: starting them takes seconds, and they end with the worker. */
async function startServers(): Promise<Servers> {
  const [database, razorpay, mail] = await Promise.all([
    readImage().then((image) => startDatabase(image, inject('stackFolder'))),
    startRazorpay(),
    startMailServer(),
  ]);
  return { database, razorpay, mail };
}

/**
 * Everything that the functions speak to, really running and empty, with the environment set for it, for the rest of a test file.
 * The file fails when a secret or a customer's words were seen in an answer or a log line.
 */
export async function useStack(): Promise<Stack> {
  const { database, razorpay, mail } = await (servers ??= startServers());
  await database.reset();
  // The next reconciliation is due tomorrow, as on any day but the first.
  await database.sql(
    `insert into public.reconciliations (from_at, to_at, payments) values (now(), now(), 0)`,
  );
  razorpay.reset();
  mail.reset();
  const settings = {
    SUPABASE_URL: database.url,
    SUPABASE_SECRET_KEY: secretKey,
    SEND_EMAIL_HOOK_SECRET: hookSecret,
    RAZORPAY_KEY_ID: keyId,
    RAZORPAY_KEY_SECRET: keySecret,
    RAZORPAY_WEBHOOK_SECRET: webhookSecret,
    RAZORPAY_API_URL: razorpay.url,
    SMTP_URL: mail.url,
    MAIL_FROM: 'Shop <orders@kasavu.example>',
    OWNER_EMAIL: 'owner@kasavu.example',
    URL: 'https://kasavu.example',
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const logs: string[] = [];
  const bodies: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => logs.push(String(line)));

  const call: Stack['call'] = async (endpoint, path, { token, context, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const request = new Request(new URL(path, 'https://kasavu.example'), { ...init, headers });
    // The platform's Context has much that no function reads; what they read is here.
    const platform = { ip: '203.0.113.7', params: await pathParameters(request) };
    const response = await endpoint(request, { ...platform, ...context } as unknown as Context);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    bodies.push(text, JSON.stringify([...response.headers]));
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    const json = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
    return { status: response.status, headers: response.headers, text, bytes, json };
  };

  const post: Stack['post'] = (endpoint, path, body, { headers, ...init } = {}) =>
    call(endpoint, path, {
      ...init,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const column: Stack['column'] = async <Value>(sql: string, ...values: readonly unknown[]) =>
    (await database.sql<Record<string, Value>>(sql, ...values)).map(
      (row) => Object.values(row)[0] as Value,
    );
  const value: Stack['value'] = async <Value>(sql: string, ...values: readonly unknown[]) => {
    const found = await column<Value>(sql, ...values);
    if (found.length === 0) throw new Error(`No row: ${sql}`);
    return found[0] as Value;
  };

  const totalOf: Stack['totalOf'] = async (lines) => {
    const rows = await database.sql<{ id: string; paise: number }>(
      'select id, (coalesce("offerPrice", price) * 100)::int as paise from public.products',
    );
    const prices = new Map(rows.map(({ id, paise }) => [id, paise]));
    const subtotal = lines.reduce(
      (sum, line) => sum + (prices.get(line.product_id) ?? 0) * line.quantity,
      0,
    );
    return (subtotal + platformFee(subtotal, shop.platformFeeBps)) / 100;
  };

  afterAll(() => {
    const leaks = [
      ...[...logs, ...bodies].filter((text) => canaries.some((canary) => text.includes(canary))),
      // Request ids are random: one can contain the digits of the phone number by chance.
      ...logs.filter((text) =>
        personal.some((words) =>
          text.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gu, '').includes(words),
        ),
      ),
    ];
    if (leaks.length > 0) throw new Error(`Secrets or personal data got out:\n${leaks.join('\n')}`);
  });

  const stack: Stack = {
    database,
    razorpay,
    mail,
    logs,
    sql: database.sql,
    value,
    column,
    call,
    post,
    totalOf,
    signUp: openAccounts(database),
    addProduct({
      price = 1_000,
      offerPrice = null,
      stock = 10,
      sizes = [],
      name = 'Temple ring',
    } = {}) {
      return value(
        `insert into public.products (name, category, price, "offerPrice", stock, sizes) values ($1, '${categories[0] ?? ''}', $2, $3, $4, $5::jsonb) returning id`,
        name,
        price,
        offerPrice,
        stock,
        JSON.stringify(sizes),
      );
    },
    async createOrder(
      customer,
      lines,
      { key = crypto.randomUUID(), body = {}, limited = false } = {},
    ) {
      // One customer of a test buys more in a second than a person in an hour.
      // The database of release 1.1.0 has no such table (tests/unit/project/upgrade.test.ts).
      const [known] = limited
        ? []
        : await database.sql(`select to_regclass('public.costs') as name`);
      if (known?.['name'])
        await database.sql(`delete from public.costs where effect = 'provider_call'`);
      const order = {
        ...customerDetails,
        products: lines,
        total_amount: await totalOf(lines),
        ...body,
      };
      return post(createOrderEndpoint, '/api/payment/create-order', order, {
        token: customer.token,
        headers: { 'idempotency-key': key },
      });
    },
    async openOrder({ customer, price = 1_000, stock: units = 5, quantity = 1 } = {}) {
      const buyer = customer ?? (await stack.signUp());
      const ring = await stack.addProduct({ price, stock: units });
      const { json, text } = await stack.createOrder(buyer, [{ product_id: ring, quantity }]);
      if (json['order_id'] === undefined) throw new Error(`Not placed: ${text}`);
      const { number } = json['order'] as { number: number };
      return { customer: buyer, number, razorpayOrderId: json['order_id'] as string, ring };
    },
    sweep: () =>
      call(sweepEndpoint, '/.netlify/functions/payment-sweep', { method: 'POST', body: '{}' }),
    stockOf: (productId) => value('select stock from public.products where id = $1', productId),
    async orderRow(number) {
      const [row] = await database.sql('select * from public.orders where id = $1', number);
      if (!row) throw new Error(`No order ${String(number)}`);
      return row;
    },
  };
  return stack;
}
