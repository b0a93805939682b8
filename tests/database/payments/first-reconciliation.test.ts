import { expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';

const database = await useDatabase();

test('the first reconciliation starts at the first order, however long the sweeps had failed', async () => {
  const ring = await database.addProduct();
  await database.openOrder(ring);
  await database.run(`update public.orders set created_at = now() - interval '8 days'`);
  const days = await database.value<number>(
    `select round(extract(epoch from now() - to_timestamp((public.next_reconciliation() ->> 'from')::bigint)) / 86400)::int as days`,
  );
  expect(days).toBe(8);
});
