import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachRow } from '../../each-row.ts';
import { one, sqlState, type Database } from '../support/database.ts';
import { createDatabase, type Postgres } from '../support/postgres.ts';
import {
  addProduct,
  addShopper,
  markPaid,
  newPaymentId,
  orderRow,
  placeOpen,
  type PlacedOrder,
} from '../support/shop-rows.ts';
import { restoreFrom } from './restored-database.ts';

/*
 * A rehearsal of docs/going-live.md, "Backups": sell, back up, sell more, lose the database, restore, sell again. The restored
 * database is filled at the time of the backup, so the rows in it are the backup.
 */
let lost: Postgres;
let restored: Postgres;
beforeAll(async () => {
  [lost, restored] = [await createDatabase(), await createDatabase()];
});
afterAll(() => Promise.all([lost.close(), restored.close()]));

const documentOf = { buyer: { name: 'Devika' } };
const invoice = async (database: Database, { id }: PlacedOrder): Promise<string> =>
  (
    await one<{ number: string }>(
      database,
      `select public.assign_invoice($1, $2::jsonb) -> 'invoice' ->> 'number' as number`,
      id,
      JSON.stringify(documentOf),
    )
  ).number;

/** Refunds a paisa-exact part of an order, and issues its credit note. */
async function creditNote(database: Database, { id }: PlacedOrder): Promise<string> {
  await database.query(
    `select public.request_refund($1, gen_random_uuid(), 100, 'A scratch', '{}')`,
    id,
  );
  const { refund } = await one<{ refund: number }>(
    database,
    `select (public.claim_refunds(1, 60) ->> 'id')::bigint as refund`,
  );
  await database.query(
    `select public.finish_refund($1, $2, null, true)`,
    refund,
    `rfnd_${crypto.randomUUID().slice(0, 8)}`,
  );
  return (
    await one<{ number: string }>(
      database,
      `select public.issue_credit_note($1, '{}', 0) ->> 'number' as number`,
      refund,
    )
  ).number;
}

/** Sends what is due; returns the keys of the mails. */
async function sendAll(database: Database): Promise<string[]> {
  const keys: string[] = [];
  for (;;) {
    const rows = await database.query<{ id: number; key: string }>(
      `select (row ->> 'id')::bigint as id, row ->> 'dedupe_key' as key from public.claim_outbox(50, 60) row`,
    );
    if (rows.length === 0) return keys;
    for (const { id, key } of rows) {
      await database.query('select public.finish_outbox($1, null)', id);
      keys.push(key);
    }
  }
}

const logIn = (database: Database): Promise<unknown> =>
  database.run(
    `select public.open_admin_session(repeat('a', 64), repeat('b', 64), 3600, '192.0.2.1', null);
     select public.save_push_subscription('https://push.example.com/1', repeat('a', 87), repeat('a', 22), 1, 'Chrome on Android')`,
  );
const sessions = (database: Database): Promise<unknown> =>
  one(
    database,
    `select public.read_admin_session(repeat('a', 64), repeat('b', 64)) as session, (select count(*)::int from public.push_subscriptions) as devices`,
  );

test('a restored shop issues no number twice, sends no mail twice, and has nobody logged in', async () => {
  const shopper = await addShopper(lost);
  const ring = await addProduct(lost, { stock: 50 });
  const buy = (database: Database, quantity: number) =>
    placeOpen(database, shopper, [{ product_id: ring, quantity }]);
  const sell = async (database: Database, quantity: number) => {
    const order = await buy(database, quantity);
    await markPaid(database, order);
    return order;
  };

  const first = await sell(lost, 1);
  await invoice(lost, first);
  const open = await buy(lost, 2);
  await logIn(lost);
  await restoreFrom(lost, restored);
  const { at: backupAt } = await one<{ at: Date }>(restored, 'select clock_timestamp() as at');

  const payment = newPaymentId();
  await markPaid(lost, open, payment);
  await invoice(lost, open);
  const last = await sell(lost, 3);
  const lastPayment = (await orderRow(lost, last.id))['payment_id'];
  const lastInvoice = await invoice(lost, last);
  const lastNote = await creditNote(lost, first);
  const mailed = await sendAll(lost);
  expect(mailed).toContain(`order_confirmation:${String(first.id)}`);
  const numbers = await lost.query<{ number: string }>(
    'select number from public.invoices union all select number from public.credit_notes',
  );

  // An hour has passed, so nobody pays the open order any more.
  await restored.run(
    `update public.orders set hold_expires_at = now() - interval '1 hour' where hold_state = 'held'`,
  );
  const { answer } = await one<{ answer: unknown }>(
    restored,
    'select public.after_restore($1, $2, $3, $4) as answer',
    backupAt,
    last.id,
    lastInvoice,
    lastNote,
  );
  expect(answer).toMatchObject({ orders_after: last.id, sessions: 1 });
  expect(await sessions(restored)).toEqual({ session: null, devices: 0 });

  const compared = await restored.query<{ row: Record<string, unknown> }>(
    `select public.compare_payments($1::jsonb) as row`,
    JSON.stringify([
      {
        id: payment,
        order_id: open.razorpay_order_id,
        amount: open.total_paise,
        amount_refunded: 0,
      },
      {
        id: lastPayment,
        order_id: last.razorpay_order_id,
        amount: last.total_paise,
        amount_refunded: 0,
      },
    ]),
  );
  expect(
    (
      await one<{ due: boolean }>(
        restored,
        'select public.next_reconciliation() is not null as due',
      )
    ).due,
  ).toBe(true);
  expect(
    compared
      .filter(({ row }) => row['kind'] === 'not_recorded')
      .map(({ row }) => [row['payment_id'], row['is_ours']]),
  ).toEqual([
    [payment, true],
    [lastPayment, false],
  ]);
  expect(await markPaid(restored, open, payment)).toBe('paid');

  const next = await sell(restored, 1);
  expect(next.id).toBeGreaterThan(last.id);
  const issued = [
    await invoice(restored, next),
    await invoice(restored, open),
    await creditNote(restored, next),
  ];
  expect(issued.filter((number) => numbers.some((row) => row.number === number))).toEqual([]);
  expect(new Set(issued).size).toBe(3);
  const mailedAgain = await sendAll(restored);
  expect(mailedAgain.filter((key) => mailed.includes(key))).toEqual([]);
  expect(mailedAgain).toContain(`order_confirmation:${String(next.id)}`);
});

test('numbers that are none, and a backup of the future, are refused', () =>
  eachRow(
    [
      ['now()', '1001', `'KSV-1001'`, 'null'],
      ['now()', '1001', `'CN/2026-27/0001'`, 'null'],
      ['now()', '1001', 'null', `'KSV/2026-27/0001'`],
      ['now()', 'null', 'null', 'null'],
      ['now()', '-1', 'null', 'null'],
      [`now() + interval '1 day'`, '1001', 'null', 'null'],
      ['null', '1001', 'null', 'null'],
    ],
    async (args) => {
      expect(
        await sqlState(restored.query(`select public.after_restore(${args.join(', ')})`)),
      ).toBe('22023');
    },
  ));

test('without a document, and called twice, it only goes forward', async () => {
  const call = `select public.after_restore(now(), 7, null, null) ->> 'orders_after' as last`;
  const { max } = await one<{ max: number }>(restored, 'select max(id) from public.orders');
  expect([await one(restored, call), await one(restored, call)]).toEqual([
    { last: String(max) },
    { last: String(max) },
  ]);
  const long = `select public.after_restore(now(), 7, 'KSV/26-27/10000', null)`;
  await restored.query(long);
  expect(
    await restored.query(
      `select last_serial from public.document_counters where financial_year = '2026-27' and series = 'invoice'`,
    ),
  ).toEqual([{ last_serial: 10_000 }]);
});
