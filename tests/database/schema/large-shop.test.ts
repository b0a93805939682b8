import { afterAll, expect, test } from 'vitest';
import { fillLargeShop } from '../support/large-shop.ts';
import { createDatabase } from '../support/postgres.ts';
import { eachRow } from '../../each-row.ts';

/*
 * What the lists read of a large shop: indexes, and of the table no more than they show. Where PostgreSQL finds that
 * worthwhile at 25,000 orders it does at any larger number; `npm run bench -- database` has the times at 50,000.
 */
const database = await createDatabase();
await fillLargeShop(database, { orders: 25_000, products: 2_000 });
afterAll(() => database.close());

interface Read {
  /** How often the table was read from end to end. */
  scans: number;
  /** Rows that an index led to. */
  rows: number;
}

/** What a statement reads of `table`: PostgreSQL's own counts of a connection that does nothing else. */
async function reads(table: string, statement: string): Promise<Read> {
  const [connection] = await database.connect(1);
  if (!connection) throw new Error('No connection');
  await connection.run('begin');
  await connection.query(statement);
  const [read] = await connection.query<Read>(
    `select seq_scan::int as scans, coalesce(idx_tup_fetch, 0)::int as rows from pg_stat_xact_user_tables where relid = $1::regclass`,
    `public.${table}`,
  );
  await connection.run('rollback');
  if (!read) throw new Error(`No counts of ${table}`);
  return read;
}

test('a page of orders, whichever the filter and however far back, and one order read no more orders than they show', () =>
  eachRow(
    [
      `select public.list_orders('all', '{}', '{}', null, null, 51)`,
      `select public.list_orders('to_pack', '{}', '{}', null, null, 51)`,
      `select public.list_orders('delivered', '{}', '{}', null, null, 51)`,
      `select public.list_orders('refunds', '{}', '{}', null, null, 51)`,
      `select public.list_orders('all', '{}', '{}', now() - interval '300 days', 5000, 51)`,
      'select public.read_order(5000)',
      `select public.orders_for_slips('to_pack', 50)`,
      'select public.orders_to_check(50, 60)',
      'select public.shop_health()',
    ],
    async (statement) => {
      const { scans, rows } = await reads('orders', statement);
      expect(scans).toBe(0);
      expect(rows).toBeLessThanOrEqual(60);
    },
  ));

test('what needs attention today is read of the orders of this month alone', async () => {
  const { scans, rows } = await reads('orders', 'select public.read_today(5)');
  expect(scans).toBe(0);
  // One order in 52 minutes.
  expect(rows).toBeLessThan((31 * 24 * 60) / 52 + 60);
});

test('figures of a period read the orders of that period and of the one before, its own once more for what sold best', async () => {
  for (const [period, days] of [
    ['week', 7],
    ['month', 31],
  ] as const) {
    const { scans, rows } = await reads('orders', `select public.sales_figures('${period}')`);
    expect(scans).toBe(0);
    expect(rows).toBeLessThan((3 * days * 24 * 60) / 52 + 60);
  }
});

test('the list of customers reads the orders once, and those with an account twice more, however many customers there are', async () => {
  const { scans, rows } = await reads(
    'orders',
    `select public.list_customers('{"%shopper 12%"}', '{}', 'spent', 0, 25)`,
  );
  expect(scans * 25_000 + rows).toBeLessThanOrEqual(3 * 25_000 + 25);
});

test('the catalogue’s page of the admin reads the products once, and a product is found by its id', async () => {
  const { scans, rows } = await reads(
    'products',
    `select public.admin_products('lotus', 'rings', 'low', 'all', 5, 'price', 0, 50)`,
  );
  expect(scans * 2_000 + rows).toBeLessThanOrEqual(2_000);
  const [{ id } = { id: '' }] = await database.query<{ id: string }>(
    'select id from public.products limit 1',
  );
  expect(await reads('products', `select public.admin_product('${id}')`)).toEqual({
    scans: 0,
    rows: 1,
  });
});

test('a monitor’s question about the shop’s health reads few of the payment events', async () => {
  const { scans, rows } = await reads('webhook_events', 'select public.shop_health()');
  expect(scans).toBe(0);
  expect(rows).toBeLessThanOrEqual(5);
});
