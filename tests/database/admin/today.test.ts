import { beforeEach, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';

/* What the admin's Today shows besides its sales, which tests/features/figures/sales.database.test.ts has. */

const database = await useDatabase();
const today = async (part: string) =>
  (await database.value<Record<string, unknown>>('select public.read_today(5)'))[part];

beforeEach(async () => {
  await database.query('delete from public.shop_notice where true');
  await database.query('delete from public.outbox where true');
});

test('a hold is listed as being paid until it ends, not until the sweep releases it', async () => {
  const customer = await database.addCustomer();
  const ring = await database.addProduct({ stock: 3 });
  const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
  expect(await today('holds')).toMatchObject({ count: 1, orders: [{ order: { id: order.id } }] });
  await database.query(
    `update public.orders set hold_expires_at = now() - interval '1 second' where id = $1`,
    order.id,
  );
  expect(await today('holds')).toEqual({ count: 0, orders: [] });
});

test('mails that have not gone out for a quarter of an hour are reported with their time, a single mail that failed is not', async () => {
  const put = (minutes: number) =>
    database.query(
      `insert into public.outbox (kind, dedupe_key, created_at, attempts)
       values ('order_notice', gen_random_uuid()::text, now() - make_interval(mins => $1), 1)`,
      minutes,
    );
  await put(14);
  expect(await today('mailsStuckSince')).toBeNull();
  await put(16);
  const [since, oldest] = [
    await today('mailsStuckSince'),
    await database.value<string>('select min(created_at) as at from public.outbox'),
  ];
  expect(Date.parse(String(since))).toBe(new Date(oldest).getTime());
  await database.query(
    `insert into public.outbox (kind, dedupe_key, sent_at) values ('order_notice', gen_random_uuid()::text, now())`,
  );
  expect(await today('mailsStuckSince')).toBeNull();
});
