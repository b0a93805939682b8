import { afterAll, expect, test } from 'vitest';
import { fillLargeShop } from '../support/large-shop.ts';
import { createDatabase } from '../support/postgres.ts';
import { eachRow } from '../../each-row.ts';

/*
 * What the lists read of a large shop: indexes, and of the table no more than they show. Where PostgreSQL finds that
 * worthwhile at 25,000 orders it does at any larger number; `npm run bench -- database` has the times at 50,000.
 */
const database = await createDatabase();
await fillLargeShop(database, { orders: 25_000, products: 10_000 });
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
  expect(scans * 10_000 + rows).toBeLessThanOrEqual(10_000);
  const [{ id } = { id: '' }] = await database.query<{ id: string }>(
    'select id from public.products limit 1',
  );
  expect(await reads('products', `select public.admin_product('${id}')`)).toEqual({
    scans: 0,
    rows: 1,
  });
});

/** The tables that a statement read from end to end, or more than `maxRows` rows of: of those that grow with every sale. */
async function largeReads(statement: string, maxRows: number): Promise<unknown[]> {
  const [connection] = await database.connect(1);
  if (!connection) throw new Error('No connection');
  await connection.run('begin');
  await connection.run(statement);
  const found = await connection.query(
    `select relname, seq_tup_read::int as scanned, coalesce(idx_tup_fetch, 0)::int as rows from pg_stat_xact_user_tables
     where schemaname = 'public' and (seq_tup_read > 300 or idx_tup_fetch > $1) and relname = any ($2)`,
    maxRows,
    [
      'orders payments refunds invoices credit_notes outbox webhook_events product_changes pictures',
      'contact_messages form_entries subscribers order_changes reconciliations',
    ].flatMap((names) => names.split(' ')),
  );
  await connection.run('rollback');
  return found;
}

test('the sweep, a monitor and an opened order read the same few rows however many orders, mails and payments there are', () =>
  eachRow(
    [
      'select public.shop_health()',
      'select public.note_sweep()',
      'select public.queue_back_in_stock(100)',
      'select public.list_stock_alerts()',
      'select * from private.payment_problems()',
      'select public.orders_to_check(200, 60)',
      'select public.claim_outbox(4, 60)',
      'select public.claim_refunds(4, 60)',
      'select public.refunds_to_poll(20)',
      'select public.payments_of_unknown_origin(20)',
      'select public.next_reconciliation()',
      `select public.note_listed('{pay_11}')`,
      `insert into public.reconciliations (from_at, to_at) values (now() - interval '6 days', now());
       select public.unlisted_payments((select max(id) from public.reconciliations), 'rzp_test_a', 50)`,
      'select public.end_deleted_products(50)',
      'select public.unpublished_changes(9990, 10)',
      'select public.withdrawn_products(9990, 10)',
      `select public.request_build('auto', 9990, 60)`,
    ],
    async (statement) => {
      expect(await largeReads(statement, 60)).toEqual([]);
    },
  ));

test('ending deleted products reads no product that is not deleted', async () => {
  expect(await reads('products', 'select public.end_deleted_products(50)')).toEqual({
    scans: 0,
    rows: 0,
  });
});

test('the search for unused images looks up the images that no product shows, and never reads all products or orders', async () => {
  const search = 'select public.unused_pictures(50) as path';
  expect((await database.query(search)).slice(0, 2)).toEqual([
    { path: 'products/old-10-1.webp' },
    { path: 'products/old-20-1.webp' },
  ]);
  // 400 of 20,000 images have left their products, and 360 of these are in orders, up to three times each.
  expect(await largeReads(search, 1500)).toEqual([]);
  expect((await reads('products', search)).scans).toBe(0);
});
