import pg from 'pg';
import { platformFee } from '#domain/sums/platform-fee.ts';
import { shop } from '#settings/shop.ts';
import { fillLargeShop } from '#tests/database/support/large-shop.ts';
import { addressOf, templates } from '#tests/database/support/postgres-address.ts';
import { startMigratedPostgres } from '#tests/database/support/postgres-server.ts';
import { inShops, shopSizes, type RowGroup, type ShopSize } from './row.ts';

const connections = 16;
const each = 50;
const rows = [
  ['purchases in the database, 16 at once: ms for each', 'many'],
  ['purchases of one and the same product, 16 at once: ms for each', 'one'],
] as const;

/** Milliseconds a purchase over 16 connections to a real PostgreSQL: place_order, attach_razorpay_order and mark_paid, each a transaction. */
async function timePurchases(port: number, products: readonly string[]): Promise<number> {
  const customer = { name: 'Anjali Menon', email: 'a@example.com', phone: '+91 98470 12345' };
  const address = { address: 'House 12', city: 'Kochi', postal_code: '682001', notes: '' };
  const details = JSON.stringify({ ...customer, ...address });
  const total = 100_000 + platformFee(100_000, shop.platformFeeBps);
  const clients = Array.from(
    { length: connections },
    () => new pg.Client(addressOf(port, templates.exposed)),
  );
  await Promise.all(clients.map((one) => one.connect()));
  const customers = await clients[0]?.query<{ id: string }>(
    `insert into auth.users (email, email_confirmed_at) select gen_random_uuid() || '@example.com', now()
     from generate_series(1, $1::int) returning id`,
    [connections * each],
  );
  const began = performance.now();
  await Promise.all(
    clients.map(async (one, index) => {
      for (let count = index * each; count < (index + 1) * each; count += 1) {
        const items = [{ product_id: products[count % products.length], quantity: 1 }];
        const placed = await one.query<{ id: number; outcome: string }>(
          `select answer -> 'order' ->> 'id' as id, answer ->> 'outcome' as outcome
           from public.place_order($1, gen_random_uuid(), $2::jsonb, $3::jsonb, $4, $5, 900) answer`,
          [customers?.rows[count]?.id, JSON.stringify(items), details, total, shop.platformFeeBps],
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
  const ms = performance.now() - began;
  await Promise.all(clients.map((one) => one.end()));
  return ms / (connections * each);
}

/** Measures purchases of many products, and of a single one, whose row every purchase locks. */
async function measureShop(size: ShopSize): Promise<Record<'many' | 'one', number>> {
  const server = await startMigratedPostgres();
  const client = new pg.Client(addressOf(server.port, templates.exposed));
  await client.connect();
  try {
    await fillLargeShop(
      {
        run: (sql) => client.query(sql),
        query: async <Row>(sql: string, ...values: readonly unknown[]) =>
          (await client.query(sql, [...values])).rows as Row[],
      },
      shopSizes[size],
    );
    const { rows: sold } = await client.query<{ id: string }>(
      `update public.products set price = 1000, "offerPrice" = null, stock = 100000 where category = 'rings' returning id`,
    );
    const ids = sold.map(({ id }) => id);
    // One round that nobody counts, so that both sizes find warm caches.
    await timePurchases(server.port, ids);
    return {
      many: await timePurchases(server.port, ids),
      one: await timePurchases(server.port, ids.slice(0, 1)),
    };
  } finally {
    await client.end();
    await server.stop();
  }
}

export const purchaseRows = (chosen: (name: string) => boolean): RowGroup => ({
  names: rows.map(([name]) => name).filter(chosen),
  async measure() {
    const [small, large] = [await measureShop('small'), await measureShop('large')];
    return rows
      .filter(([name]) => chosen(name))
      .map(([name, key]) => ({
        name,
        times: 10,
        sizes: inShops,
        unit: 'ms' as const,
        small: { cost: small[key], bytes: 0 },
        large: { cost: large[key], bytes: 0 },
      }));
  },
});
