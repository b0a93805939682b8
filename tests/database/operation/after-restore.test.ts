import { expect, test } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import {
  newPaymentId,
  type OpenOrder,
  type PlacedOrder,
  type ShopDatabase,
} from '#tests/database/support/shop-database.ts';
import { restoreFrom } from './restored-database.ts';
import { shop } from '#settings/shop.ts';

/*
 * A rehearsal of docs/going-live.md, "Backups": sell, back up, sell more, lose the database, restore, sell again. The restored
 * database is filled at the time of the backup, so the rows in it are the backup.
 */
const [lost, restored] = [await useDatabase(), await useDatabase()];

const documentOf = { buyer: { name: 'Devika' } };
const invoice = (database: ShopDatabase, { id }: PlacedOrder): Promise<string> =>
  database.value(
    `select public.assign_invoice($1, $2::jsonb) -> 'invoice' ->> 'number' as number`,
    id,
    JSON.stringify(documentOf),
  );

/** Refunds a paisa-exact part of an order, and issues its credit note. */
async function creditNote(database: ShopDatabase, { id }: PlacedOrder): Promise<string> {
  await database.query(
    `select public.request_refund($1, gen_random_uuid(), 100, 'A scratch', '{}')`,
    id,
  );
  const refund = await database.value<number>(
    `select (public.claim_refunds(1, 60) ->> 'id')::bigint as refund`,
  );
  await database.query(
    `select public.finish_refund($1, $2, null, true)`,
    refund,
    `rfnd_${crypto.randomUUID().slice(0, 8)}`,
  );
  return await database.value<string>(
    `select public.issue_credit_note($1, '{}', 0) ->> 'number'`,
    refund,
  );
}

/** Sends what is due; returns the keys of the mails. */
async function sendAll(database: ShopDatabase): Promise<string[]> {
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

const logIn = (database: ShopDatabase): Promise<unknown> =>
  database.run(
    `select public.open_admin_session(repeat('a', 64), repeat('b', 64), 3600, '192.0.2.1', null);
     select public.save_push_subscription('https://push.example.com/1', repeat('a', 87), repeat('a', 22), 1, 'Chrome on Android')`,
  );
const sessions = (database: ShopDatabase): Promise<unknown> =>
  database.one(
    `select public.read_admin_session(repeat('a', 64), repeat('b', 64)) as session, (select count(*)::int from public.push_subscriptions) as devices`,
  );

test('a restored shop issues no number twice, sends no mail twice, and has nobody logged in', async () => {
  const customer = await lost.addCustomer();
  const ring = await lost.addProduct({ stock: 50 });
  const buy = (database: ShopDatabase, quantity: number) =>
    database.placeOpen(customer, [{ product_id: ring, quantity }]);
  const sell = async (database: ShopDatabase, quantity: number) => {
    const order = await buy(database, quantity);
    await database.markPaid(order);
    return order;
  };

  const first = await sell(lost, 1);
  await invoice(lost, first);
  const open = await buy(lost, 2);
  await logIn(lost);
  await restoreFrom(lost, restored);
  const backupAt = await restored.value<Date>('select clock_timestamp() as at');

  const payment = newPaymentId();
  await lost.markPaid(open, payment);
  await invoice(lost, open);
  const last = await sell(lost, 3);
  const lastPayment = (await lost.orderRow(last.id))['payment_id'];
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
  const answer = await restored.value<unknown>(
    'select public.after_restore($1, $2, $3, $4)',
    backupAt,
    last.id,
    lastInvoice,
    lastNote,
  );
  expect(answer).toMatchObject({ orders_after: last.id, sessions: 1 });
  expect(await sessions(restored)).toEqual({ session: null, devices: 0 });

  const theirs = (id: unknown, order: OpenOrder) => ({
    id,
    order_id: order.razorpay_order_id,
    amount: order.total_paise,
    amount_refunded: 0,
  });
  const compared = await restored.column<Record<string, unknown>>(
    'select public.compare_payments($1::jsonb)',
    JSON.stringify([theirs(payment, open), theirs(lastPayment, last)]),
  );
  expect(await restored.value('select public.next_reconciliation() is not null')).toBe(true);
  expect(
    compared
      .filter((row) => row['kind'] === 'not_recorded')
      .map((row) => [row['payment_id'], row['is_ours']]),
  ).toEqual([
    [payment, true],
    [lastPayment, false],
  ]);
  expect(await restored.markPaid(open, payment)).toBe('paid');

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
      ['now()', '1001', `'${shop.orderPrefix}1001'`, 'null'],
      ['now()', '1001', `'${shop.prefixes.creditNote}/2026-27/0001'`, 'null'],
      ['now()', '1001', 'null', `'${shop.prefixes.invoice}/2026-27/0001'`],
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

test('without a document it only goes forward, and numbers of five digits are read', async () => {
  const call = `select public.after_restore(now(), 7, null, null) ->> 'orders_after'`;
  const max = await restored.value<number>('select max(id) from public.orders');
  expect(await restored.value(call)).toBe(String(max));
  const number = `${shop.prefixes.invoice}/26-27/10000`;
  await restored.query('select public.after_restore(now(), 7, $1, null)', number);
  expect(
    await restored.value(
      `select last_serial from public.document_counters where financial_year = '2026-27' and series = 'invoice'`,
    ),
  ).toBe(10_000);
});

test('a cash order that waited for the shop’s word at the backup does not end before the shop can confirm it anew, and its mails were sent', async () => {
  const database = restored;
  const ring = await database.addProduct({ stock: 5 });
  const [reserved, open] = [await database.openOrder(ring), await database.openOrder(ring)];
  await database.query(
    `update public.orders set cash_paise = total_paise - 10000, hold_state = case id when $1 then 'reserved' else 'held' end,
       created_at = now() - interval '30 hours', hold_expires_at = now() - interval '6 hours', confirm_seconds = 3600
     where id = any ($2)`,
    reserved.id,
    [reserved.id, open.id],
  );
  await database.value(
    `select public.after_restore(now() - interval '1 second', 99999, null, null)`,
  );
  expect(await database.value('select public.end_unconfirmed_orders(50)')).toBe(0);
  const madeAt = new Date(Date.now() - 29 * 3_600_000).toISOString();
  // The advance that reconciliation finds.
  await database.markPaid(open, newPaymentId(), { amount: 10_000, madeAt });
  expect(await database.orderRow(open.id)).toMatchObject({ hold_state: 'reserved' });
  expect(
    await database.value(
      `select count(*)::int from public.outbox where order_id = $1 and sent_at is null`,
      open.id,
    ),
  ).toBe(0);
});

test('orders of a backup of release 1.3.2, which has no rows, get them from the columns, and rows that are there stay', async () => {
  const database = restored;
  const ring = await database.addProduct({ stock: 5 });
  const [older, newer] = [await database.openOrder(ring, 2), await database.openOrder(ring)];
  const rowsOf = ({ id }: PlacedOrder): Promise<{ kind: string; paise: number }[] | null> =>
    database.value('select sum_rows from public.orders where id = $1', id);
  const [before, kept] = [await rowsOf(older), await rowsOf(newer)];
  await database.query('update public.orders set sum_rows = null where id = $1', older.id);
  expect(await rowsOf(older)).toBeNull();
  await database.value('select public.after_restore(now(), 99999, null, null)');
  const amounts = (rows: typeof before) => rows?.map(({ kind, paise }) => [kind, paise]);
  expect(before?.length).toBeGreaterThan(0);
  expect(amounts(await rowsOf(older))).toEqual(amounts(before));
  expect(await rowsOf(newer)).toEqual(kept);
});
