import { expect, test } from 'vitest';
import { retentionDays } from '#domain/retention.ts';
import { fillLargeShop } from '#tests/database/support/large-shop.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { eachRow } from '#tests/each-row.ts';

/*
 * The lists of a large shop read indexes, and of the table no more than they show. Where PostgreSQL finds that
 * worthwhile at 50,000 orders it does at any larger number; `npm run bench -- growth` has the times.
 */
const database = await useDatabase();
await fillLargeShop(database, { orders: 50_000, products: 10_000 });

interface Read {
  /** How often the table was read from end to end. */
  scans: number;
  /** Rows that an index led to. */
  rows: number;
}

/** The rows and blocks of `table` that a statement reads: PostgreSQL's own counts of a connection that does nothing else. */
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
      `select public.list_orders('refunded', '{}', '{}', null, null, 51)`,
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

/** Tables that grow with sales, visitors or edits. `reconciliations` has a row a day, for a year; whoever waits for a product is read each time. */
const growing = [
  'orders payments refunds invoices credit_notes outbox webhook_events product_changes pictures products',
  'contact_messages form_entries subscribers order_changes claims claim_files',
].flatMap((names) => names.split(' '));

/** Growing tables that a statement read from end to end, or by an index more than `maxRows` rows of. */
async function largeReads(statement: string, maxRows: number): Promise<unknown[]> {
  const [connection] = await database.connect(1);
  if (!connection) throw new Error('No connection');
  await connection.run('begin');
  await connection.run(statement);
  const found = await connection.query(
    `select relname, seq_tup_read::int as scanned, coalesce(idx_tup_fetch, 0)::int as rows from pg_stat_xact_user_tables
     where schemaname = 'public' and (seq_tup_read > 400 or idx_tup_fetch > $1) and relname = any ($2)`,
    maxRows,
    growing,
  );
  await connection.run('rollback');
  return found;
}

/** The newest paid order, its payment, and a payment that is not recorded yet. */
const [newest] = await database.query<{ id: number; payment: string; razorpay: string }>(
  `select id::int, payment_id as payment, razorpay_order_id as razorpay from public.orders where payment_id is not null order by id desc limit 1`,
);
const [held] = await database.query<{ id: number; razorpay: string }>(
  `select id::int, razorpay_order_id as razorpay from public.orders where hold_state = 'held' order by id limit 1`,
);
if (!newest || !held) throw new Error('The shop has no orders');
const page = (fields: string): string =>
  `(select jsonb_agg(t) from (select ${fields} from public.payments where state = 'accepted' order by created_at desc limit 100) t)`;

/** The sweep's calls, by function: those that look for their rows. */
const sweepCalls: Readonly<Record<string, string>> = {
  begin_sweep: `select public.begin_sweep('{}', '{}', 180, null)`,
  note_catalogue_rest: `select public.note_catalogue_rest(private.catalogue_state(), null, false)`,
  shop_health: 'select public.shop_health()',
  queue_back_in_stock: 'select public.queue_back_in_stock(100)',
  claim_refunds: 'select public.claim_refunds(20, 60)',
  finish_refund: `select public.finish_refund((select id from public.refunds where state = 'due' limit 1), 'rfnd_1', null, true)`,
  claim_outbox: 'select public.claim_outbox(4, 60)',
  finish_outbox: `select public.finish_outbox((select min(id) from public.outbox where sent_at is null))`,
  refunds_to_poll: 'select public.refunds_to_poll(20)',
  record_refund: `select public.record_refund('${newest.payment}', 'rfnd_2', 100, 'processed')`,
  record_dispute: `select public.record_dispute('${newest.payment}', 'disp_1', 'created', 100)`,
  payments_of_unknown_origin: 'select public.payments_of_unknown_origin(20)',
  orders_to_check: 'select public.orders_to_check(32, 120)',
  mark_paid: `select public.mark_paid('${held.razorpay}', 'pay_new', 102360, 'INR', 'upi', 'event_new', 'payment.captured', null, 5)`,
  release_order: `select public.release_order(${String(held.id)}, 'expired')`,
  next_reconciliation: 'select public.next_reconciliation()',
  compare_payments: `select public.compare_payments(${page('payment_id as id, razorpay_order_id as order_id, amount_paise as amount, 0 as amount_refunded')})`,
  refunds_to_record: `select public.refunds_to_record(${page(`'rfnd_' || payment_id as id, payment_id, 'processed' as status`)})`,
  unlisted_payments: `insert into public.reconciliations (from_at, to_at) values (now() - interval '6 days', now());
    select public.unlisted_payments((select max(id) from public.reconciliations), 'rzp_test_a', 50)`,
  request_build: `select public.request_build('auto', 9990, 60)`,
  deploy_budget: 'select public.deploy_budget(9990, 600, 60)',
  unpublished_changes: 'select public.unpublished_changes(9990, 50)',
  end_deleted_products: 'select public.end_deleted_products(50)',
  credit_notes_due: 'select public.credit_notes_due(20)',
  issue_credit_note: `select public.issue_credit_note((select max(id) from public.refunds where state = 'processed'), '{}', 0)`,
  take_due_claim_files: 'select public.take_due_claim_files(180, 200)',
};

test('the sweep reads the same few rows however many orders, mails and payments there are', () =>
  eachRow(Object.values(sweepCalls), async (statement) => {
    expect(await largeReads(statement, 350)).toEqual([]);
  }));

test('payments that need the admin and products that left the shop are found among all without reading all', () =>
  eachRow(
    ['select * from private.payment_problems()', 'select public.withdrawn_products(9990, 10)'],
    async (statement) => {
      expect(await largeReads(statement, 550)).toEqual([]);
    },
  ));

test('forgetting reads the rows of the day that is over, whatever the shop keeps', async () => {
  const dayLater = Object.fromEntries(
    Object.entries(retentionDays).map(([subject, days]) => [subject, Math.max(1, days - 1)]),
  );
  const statement = `update public.heartbeats set last_at = null where name = 'forget';
    select public.forget('${JSON.stringify(dayLater)}', 500)`;
  expect(await largeReads(statement, 400)).toEqual([]);
});

test('the search for unused images looks up the images that no product shows, and never reads all products or orders', async () => {
  const search = 'select public.unused_pictures(50) as path';
  expect((await database.query(search)).slice(0, 2)).toEqual([
    { path: 'products/old-10-1.webp' },
    { path: 'products/old-20-1.webp' },
  ]);
  // 400 of 20,000 images have left their products, and 360 of these are in orders, up to five times each.
  expect(await largeReads(search, 2000)).toEqual([]);
  expect((await reads('products', search)).scans).toBe(0);
  // A sweep of a catalogue that is live looks for one.
  const sweep = sweepCalls['begin_sweep'] ?? '';
  const isLive = `select public.note_catalogue_rest(private.catalogue_state(), null, true)`;
  expect(await largeReads(`${isLive}; ${sweep}`, 2000)).toEqual([]);
});
