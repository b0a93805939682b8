import { expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { times } from '#tests/soak.ts';

const postgres = await useDatabase();
await postgres.allowRefunds();
const workers = await postgres.connect(20);

/** Every worker claims until nothing is left; the ids in the order they were handed out. */
async function drain(call: string): Promise<number[]> {
  const claimed: number[] = [];
  await Promise.all(
    workers.map(async (database) => {
      for (;;) {
        const rows = await database.query<{ id: string }>(
          `select (row ->> 'id') as id from ${call} row`,
        );
        if (rows.length === 0) return;
        claimed.push(...rows.map(({ id }) => Number(id)));
      }
    }),
  );
  return claimed;
}
const isEachOnce = (claimed: number[], count: number): void => {
  expect(claimed).toHaveLength(count);
  expect(new Set(claimed).size).toBe(count);
};

test('20 senders take each mail once', async () => {
  await postgres.run(
    `insert into public.outbox (kind, dedupe_key) select 'admin_alert', 'note:' || n from generate_series(1, ${String(times(150, 500))}) n`,
  );
  isEachOnce(await drain('public.claim_outbox(7, 60)'), times(150, 500));
});

test('20 sweeps ask for each refund once, and look at each order once', async () => {
  const ring = await postgres.addProduct({ stock: 120 });
  for (let index = 0; index < 100; index += 1) {
    const order = await postgres.placeOpen(
      await postgres.addCustomer(),
      [{ product_id: ring, quantity: 1 }],
      { expected: 102_360 },
    );
    if (index < 60) await postgres.markPaid(order);
    if (index < 60) await postgres.markPaid(order);
  }
  // These have no order at the provider: the first sweep that sees one releases it.
  for (let index = 0; index < 20; index += 1)
    await postgres.place(await postgres.addCustomer(), [{ product_id: ring, quantity: 1 }], {
      expected: 102_360,
    });
  isEachOnce(await drain('public.claim_refunds(3, 60)'), 60);
  await postgres.run('update public.orders set next_check_at = now() where payment_id is null');
  const checked: number[] = [];
  await Promise.all(
    workers.map(async (database) => {
      for (let round = 0; round < 20; round += 1) {
        const rows = await database.query<{ id: string }>(
          `select row ->> 'id' as id from public.orders_to_check(5, 60) row`,
        );
        checked.push(...rows.map(({ id }) => Number(id)));
      }
    }),
  );
  isEachOnce(checked, 40);
  expect(await postgres.value('select stock from public.products where id = $1', ring)).toBe(20);
});
