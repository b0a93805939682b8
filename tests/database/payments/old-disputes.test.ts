import { afterAll, expect, test } from 'vitest';
import { readMigrations } from '#local/shared/sql-files.ts';
import { createDatabase, createDatabaseOf } from '#tests/database/support/postgres.ts';
import {
  newPaymentId,
  type OpenOrder,
  type ShopDatabase,
} from '#tests/database/support/shop-database.ts';
import { restoreFrom } from '#tests/database/operation/restored-database.ts';

/* Disputes that were lost before 1.3.2, which did not keep what a bank gave back. */
const migrations = await readMigrations();
const first = migrations.findIndex(({ name }) => name.includes('disputed_money'));
const [older, restored] = [
  await createDatabaseOf(migrations.slice(0, first)),
  await createDatabase(),
];
afterAll(async () => {
  await older.close();
  await restored.close();
});
await older.allowRefunds();

interface Paid {
  order: OpenOrder;
  payment: string;
}

async function pay(prepare: (order: OpenOrder, ring: string) => Promise<unknown>): Promise<Paid> {
  const ring = await older.addProduct({ stock: 1 });
  const lines = [{ product_id: ring, quantity: 1 }];
  const order = await older.placeOpen(await older.addCustomer(), lines, { ofBefore: true });
  await prepare(order, ring);
  const payment = newPaymentId();
  await older.markPaid(order, payment);
  return { order, payment };
}
const lose = (database: ShopDatabase, { order, payment }: Paid): Promise<{ outcome: string }> =>
  database.value(
    `select public.record_dispute($1, $2, 'lost', $3)`,
    ...[payment, `disp_${payment}`, order.total_paise],
  );

const sold = await pay(() => Promise.resolve());
await lose(older, sold);

// Cancelled; Razorpay refused the refund once before the bank gave the money back.
const cancelled = await pay(() => Promise.resolve());
await older.cancel(cancelled.order.id);
await older.value('select public.claim_refunds(100, 60)');
const [refused] = await older.refundsOf(cancelled.payment);
await older.finishRefund(refused?.id ?? 0, null, 'refused BAD_REQUEST_ERROR');
await lose(older, cancelled);

// Paid too late, when the ring was gone; its refund failed for good.
const late = await pay(async (order, ring) => {
  await older.release(order.id);
  const lines = [{ product_id: ring, quantity: 1 }];
  await older.markPaid(await older.placeOpen(await older.addCustomer(), lines, { ofBefore: true }));
});
await older.query(
  `update public.refunds set state = 'failed', unanswered = 0, attempts = 10 where payment_id = $1`,
  late.payment,
);
await lose(older, late);
await restoreFrom(older, restored);

async function expectSettled(database: ShopDatabase): Promise<void> {
  expect(await database.cancel(sold.order.id)).toEqual({ outcome: 'cancelled' });
  await database.run('update public.refunds set next_attempt_at = now()');
  for (const { order, payment } of [sold, cancelled, late]) {
    expect(
      await database.one(
        'select state, lost_paise::int as lost from public.payments where payment_id = $1',
        payment,
      ),
    ).toEqual({ state: 'refunded', lost: order.total_paise });
    expect(await database.orderRow(order.id)).toMatchObject({ payment_status: 'REFUNDED' });
  }
  expect(
    await database.column(
      `select row ->> 'payment_id' from public.claim_refunds(100, 60) row where row ->> 'payment_id' = any ($1)`,
      [sold.payment, cancelled.payment, late.payment],
    ),
  ).toEqual([]);
}

test('a backup of before is settled by the restore', async () => {
  await restored.value(`select public.after_restore(now(), 99999, null, null)`);
  // Razorpay's lists name the dispute again, which is known.
  expect(await lose(restored, sold)).toEqual({ outcome: 'old' });
  await expectSettled(restored);
});

test('a database of before is settled by the migration', async () => {
  for (const { sql } of migrations.slice(first)) await older.run(sql);
  await expectSettled(older);
});
