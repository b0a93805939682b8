/*
 * The database's figures in a shop of 10,000 products and 50,000 orders, on a real PostgreSQL of its own:
 * `npm run bench -- database`. Times are of this machine at this moment; docs/scale.md says what they mean.
 */
import pg from 'pg';
import { platformFee } from '../../src/domain/money.ts';
import { shop } from '../../src/settings/shop.ts';
import { fillLargeShop } from '../database/support/large-shop.ts';
import { startMigratedPostgres } from '../database/support/postgres-server.ts';
import { addressOf, templates } from '../database/support/postgres-address.ts';
import { median } from './support/embedded-stack.ts';

const server = await startMigratedPostgres();
const client = new pg.Client(addressOf(server.port, templates.exposed));
await client.connect();
const run = (sql: string): Promise<unknown> => client.query(sql);
const query = async <Row>(sql: string, ...values: readonly unknown[]): Promise<Row[]> =>
  (await client.query(sql, [...values])).rows as Row[];

/** The median of nine runs in milliseconds, after one that warms the caches. */
async function time(sql: string): Promise<string> {
  await run(sql);
  const times: number[] = [];
  for (let count = 0; count < 9; count += 1) {
    const began = performance.now();
    await run(sql);
    times.push(performance.now() - began);
  }
  return median(times).toFixed(1);
}

const statements: Record<string, string> = {
  'orders, first page': `select public.list_orders('all', '{}', '{}', null, null, 51)`,
  'orders to pack': `select public.list_orders('to_pack', '{}', '{}', null, null, 51)`,
  'orders of two years ago': `select public.list_orders('all', '{}', '{}', now() - interval '2 years', 25000, 51)`,
  'orders, search without a match': `select public.list_orders('all', '{%nobody of this name%}', '{}', null, null, 51)`,
  'one order': 'select public.read_order(25000)',
  today: 'select public.read_today(5)',
  'customers, first page': `select public.list_customers('{}', '{}', 'recent', 0, 25)`,
  'figures of a month': `select public.sales_figures('month')`,
  'figures of a year': `select public.sales_figures('year')`,
  'products, first page': `select public.admin_products('', null, 'all', 'all', 5, 'newest', 0, 50)`,
  'products, search': `select public.admin_products('lotus', null, 'all', 'all', 5, 'price', 0, 50)`,
  'live price and stock of 24 products':
    'select id, price, "offerPrice", stock from public.products where id = any (array(select id from public.products limit 24))',
  'catalogue for a build, 1,000 of 10,000':
    'select * from public.products order by created_at, id limit 1000 offset 5000',
  health: 'select public.shop_health()',
};

/** Purchases a second over so many connections: place_order, attach_razorpay_order and mark_paid, each a transaction. */
async function purchases(
  connections: number,
  products: readonly string[],
  each: number,
): Promise<string> {
  const customer = { name: 'Anjali Menon', email: 'a@example.com', phone: '+91 98470 12345' };
  const address = { address: 'House 12', city: 'Kochi', postal_code: '682001', notes: '' };
  const details = JSON.stringify({ ...customer, ...address });
  const total = 100_000 + platformFee(100_000, shop.platformFeeBps);
  const customers = await query<{ id: string }>(
    `insert into auth.users (email, email_confirmed_at) select gen_random_uuid() || '@example.com', now()
     from generate_series(1, $1::int) returning id`,
    connections * each,
  );
  const clients = Array.from(
    { length: connections },
    () => new pg.Client(addressOf(server.port, templates.exposed)),
  );
  await Promise.all(clients.map((one) => one.connect()));
  const began = performance.now();
  await Promise.all(
    clients.map(async (one, index) => {
      for (let count = index * each; count < (index + 1) * each; count += 1) {
        const items = [{ product_id: products[count % products.length], quantity: 1 }];
        const placed = await one.query<{ id: number; outcome: string }>(
          `select answer -> 'order' ->> 'id' as id, answer ->> 'outcome' as outcome
           from public.place_order($1, gen_random_uuid(), $2::jsonb, $3::jsonb, $4, $5, 900) answer`,
          [customers[count]?.id, JSON.stringify(items), details, total, shop.platformFeeBps],
        );
        const order = placed.rows[0];
        if (order?.outcome !== 'placed') throw new Error(`Not placed: ${String(order?.outcome)}`);
        const name = `order_${crypto.randomUUID().replaceAll('-', '').slice(0, 14)}`;
        await one.query('select public.attach_razorpay_order($1, $2)', [order.id, name]);
        await one.query(
          `select public.mark_paid($1, $2, $3, 'INR', 'upi', null, 'payment.captured', null)`,
          [name, name.replace('order', 'pay'), total],
        );
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(clients.map((one) => one.end()));
  return ((connections * each) / seconds).toFixed(0);
}

try {
  const began = performance.now();
  await fillLargeShop({ run, query });
  console.log(
    `50,000 orders and 10,000 products written in ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
  for (const table of ['orders', 'payments', 'products']) {
    const sql = `select pg_size_pretty(pg_total_relation_size('public.${table}')) as size`;
    console.log(`${table} ${(await query<{ size: string }>(sql))[0]?.size ?? ''} with indexes`);
  }
  console.log('\nmilliseconds, median');
  for (const [name, sql] of Object.entries(statements))
    console.log(`${name.padEnd(42)}${(await time(sql)).padStart(7)}`);

  await run(
    `update public.products set price = 1000, "offerPrice" = null, stock = 100000 where category = 'rings'`,
  );
  const rings = (
    await query<{ id: string }>(
      `select id from public.products where category = 'rings' order by id`,
    )
  ).map(({ id }) => id);
  console.log(
    `\npurchases a second, 1 connection                ${await purchases(1, rings, 200)}`,
  );
  console.log(`purchases a second, 16 connections              ${await purchases(16, rings, 50)}`);
  console.log(
    `the same, all of one and the same product       ${await purchases(16, rings.slice(0, 1), 50)}`,
  );
} finally {
  await client.end();
  await server.stop();
}
