import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCustomer, type Customer } from '#tests/browser/account/customers.ts';
import { fillLargeShop } from '#tests/database/support/large-shop.ts';
import {
  startEmbeddedStack,
  usageOf,
  type EmbeddedStack,
} from '#tests/bench/support/embedded-stack.ts';
import { logInAsAdmin } from '#tests/bench/support/purchase.ts';
import { sql } from '#tests/bench/supabase/place.ts';
import { shopSizes, type ShopSize } from './row.ts';

type Query = <Row = Record<string, unknown>>(
  text: string,
  ...values: readonly unknown[]
) => Promise<Row[]>;

/** An embedded stack with the books of a shop of one size, and the admin logged in. */
export interface FilledShop {
  products: number;
  secrets: EmbeddedStack['secrets'];
  query: Query;
  /** Sends the admin's request; `body` makes it a POST of JSON. Resolves to the answer's text; throws on a refusal. */
  send: (path: string, init?: RequestInit) => Promise<string>;
  /** Processor time of the shop and of this bench so far. */
  spentMs: () => Promise<number>;
  /** Customers with 30 and with 300 orders. */
  customers: Readonly<Record<number, Customer>>;
  /** Months with 100 and with 1,000 documents. */
  months: Readonly<Record<number, string>>;
}

/** Gives two customers their orders, two months their documents, and packs nothing of the last 200 orders. */
async function addDetails({ query, send }: Pick<FilledShop, 'query' | 'send'>) {
  const customers: Record<number, Customer> = {};
  for (const [count, start] of [
    [30, 1_000],
    [300, 2_000],
  ] as const) {
    const customer = await createCustomer();
    customers[count] = customer;
    await query(
      `update public.orders set user_id = $1::uuid, customer_email = $2 where id in
       (select id from public.orders where payment_id is not null order by id offset $3::int limit $4::int)`,
      customer.session.user.id,
      customer.email,
      start,
      count,
    );
  }
  await query(
    `update public.orders set fulfilment = 'new', delivered_at = null, shipped_at = null, customer_address = '14 Temple Road', customer_postal_code = '680001'
     where id in (select id from public.orders where payment_id is not null order by id desc limit 200)`,
  );
  const [order] = await query<{ id: number }>(
    'select max(id)::int as id from public.orders where payment_id is not null and invoice_number is null',
  );
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  await send(`/api/admin/orders/${String(order?.id)}/invoice`, { method: 'POST', headers: form });
  // The filled orders have no documents that a credit note could be made of.
  await query('update public.refunds set has_credit_note = true where not has_credit_note');
  const months = { 100: '2031-05', 1_000: '2031-06' };
  for (const [count, month] of Object.entries(months))
    await query(
      `insert into public.invoices (number, order_id, financial_year, serial, issued_at, document)
       select 'M' || $1::text || '/' || o.id, o.id, '2031-' || $1::text, o.id, $2::timestamptz, (select document from public.invoices where order_id = $3::bigint)
       from public.orders o where not exists (select from public.invoices i where i.order_id = o.id) order by o.id limit $1::int`,
      Number(count),
      `${month}-10`,
      order?.id,
    );
  return { customers, months };
}

/** Starts a shop of this size for the work, and deletes it after. */
export async function withFilledShop<T>(
  size: ShopSize,
  work: (shop: FilledShop) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-growth-'));
  const stack = await startEmbeddedStack(dataDir);
  try {
    const { origin, secrets } = stack;
    const query: Query = (text, ...values) =>
      sql({ origin, secretKey: secrets.secretKey } as Parameters<typeof sql>[0], text, ...values);
    // The demo's, which the filling would meet again under their numbers.
    await query('delete from public.product_changes');
    await fillLargeShop(
      {
        query,
        // One statement a request.
        run: async (text) => {
          for (const one of text.split(';')) if (one.trim() !== '') await query(one);
        },
      },
      shopSizes[size],
    );
    // Everything is published, or the sweep would build these pages meanwhile.
    const { version } = (await (await fetch(`${origin}/build.json`)).json()) as { version: number };
    await query('delete from public.product_changes');
    await query('update public.catalogue_version set version = $1::bigint where id', version);
    const cookie = await logInAsAdmin();
    const send: FilledShop['send'] = async (path, { headers, ...init } = {}) => {
      const response = await fetch(new URL(path, origin), {
        redirect: 'manual',
        ...init,
        headers: {
          cookie,
          origin,
          'content-type': 'application/json',
          ...(headers as Record<string, string> | undefined),
        },
      });
      const text = await response.text();
      if (response.status >= 400)
        throw new Error(
          `${path} answered ${String(response.status)}: ${text.slice(0, 500)}\n${(await readFile(join(dataDir, 'functions.log'), 'utf8')).slice(-1_500)}`,
        );
      return text;
    };
    const details = await addDetails({ query, send });
    // The sweep first does everything that is due, as in a shop where it ran all day.
    for (let count = 0; count < 8; count += 1) await send('/local/sweep', { method: 'POST' });
    const spentMs = async (): Promise<number> => {
      const { user, system } = process.cpuUsage();
      return (await usageOf(stack.pid)).processor * 1_000 + (user + system) / 1_000;
    };
    const { products } = shopSizes[size];
    return await work({ ...details, products, secrets, query, send, spentMs });
  } finally {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
