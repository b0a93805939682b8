import { beforeEach, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';
import type { PaidOrder } from '#tests/database/support/shop-database.ts';

const database = await useDatabase();
let ring = '';
beforeEach(async () => {
  await database.run(
    'truncate public.orders, public.products, public.payments, public.refunds restart identity cascade',
  );
  ring = await database.addProduct({ price: 1_000, stock: 100 });
});

interface Figures {
  from: string;
  to: string;
  orders: number;
  paise: number;
  refundedPaise: number;
  cancelledPaise: number;
  bars: { from: string; orders: number; paise: number }[];
  before: { from: string; to: string; orders: number; paise: number };
  best: { name: string; pieces: number; paise: number }[];
}
const figures = (period: string, day: string | null = null): Promise<Figures> =>
  database.value('select public.sales_figures($1, $2)', period, day);
/** An order that was paid at a time. */
async function paid(at: string, quantity = 1, product = ring): Promise<PaidOrder> {
  const order = await database.buy([{ product_id: product, quantity }]);
  await database.query('update public.orders set paid_at = $2 where id = $1', order.id, at);
  return order;
}
async function refunded(
  order: PaidOrder,
  paise: number,
  at: string,
  items: Record<string, number> = {},
): Promise<void> {
  await database.requestRefund(order.id, paise, { items });
  await database.query(
    'update public.refunds set created_at = $2 where order_id = $1',
    order.id,
    at,
  );
}

test('days, weeks and months end at midnight in India, not in Greenwich', async () => {
  await paid('2025-10-31T18:29:59Z');
  await paid('2025-10-31T18:30:00Z');
  await paid('2025-11-09T18:29:59Z');
  await paid('2025-11-09T18:30:00Z');
  const month = await figures('month', '2025-11-15');
  expect(month).toMatchObject({
    from: '2025-11-01',
    to: '2025-11-30',
    orders: 3,
    before: { from: '2025-10-01', to: '2025-10-31', orders: 1 },
  });
  expect(month.bars).toHaveLength(30);
  expect(month.bars.filter(({ orders }) => orders > 0).map(({ from }) => from)).toEqual([
    '2025-11-01',
    '2025-11-09',
    '2025-11-10',
  ]);
  // A week is from Monday to Sunday.
  expect(await figures('week', '2025-11-09')).toMatchObject({
    from: '2025-11-03',
    to: '2025-11-09',
    orders: 1,
  });
  expect(await figures('year', '2025-02-01')).toMatchObject({
    from: '2025-01-01',
    to: '2025-12-31',
    orders: 4,
  });
});

test('a refund is taken off on its own day, failed ones count nowhere, those of cancelled orders apart, and bars add up to the whole', async () => {
  const october = await paid('2025-10-20T06:00:00Z', 3);
  await refunded(october, 50_000, '2025-11-05T06:00:00Z');
  await refunded(await paid('2025-11-05T07:00:00Z'), 2_360, '2025-11-06T06:00:00Z');
  const failing = await paid('2025-11-07T06:00:00Z');
  await refunded(failing, 1_000, '2025-11-07T08:00:00Z');
  await database.query(
    `update public.refunds set state = 'failed' where order_id = $1`,
    failing.id,
  );
  const cancelled = await paid('2025-11-08T06:00:00Z');
  await database.cancel(cancelled.id);
  await database.query(
    `update public.refunds set created_at = '2025-11-08T07:00:00Z' where order_id = $1`,
    cancelled.id,
  );
  const month = await figures('month', '2025-11-30');
  expect(month).toMatchObject({
    orders: 2,
    paise: 2 * 102_360 - 52_360,
    refundedPaise: 52_360,
    cancelledPaise: 102_360,
    before: { orders: 1, paise: 307_080 },
  });
  const sum = (key: 'orders' | 'paise') => month.bars.reduce((all, bar) => all + bar[key], 0);
  expect([sum('orders'), sum('paise')]).toEqual([month.orders, month.paise]);
  expect(month.bars[4]).toEqual({ from: '2025-11-05', orders: 1, paise: 52_360 });
  expect((await figures('year', '2025-11-30')).paise).toBe(month.paise + 307_080);
});

test('best sellers count quantities less refunds, highest first', async () => {
  const chain = await database.addProduct({ price: 5_000, stock: 10 });
  await database.query(`update public.products set name = 'Chain' where id = $1`, chain);
  const many = await paid('2025-11-05T06:00:00Z', 4);
  await paid('2025-11-06T06:00:00Z', 2, chain);
  await refunded(many, 100_000, '2025-12-05T06:00:00Z', { [ring]: 1 });
  await refunded(await paid('2025-11-06T06:00:00Z', 5, chain), 2_559_000, '2025-11-06T06:00:00Z', {
    [chain]: 5,
  });
  expect((await figures('month', '2025-11-01')).best).toMatchObject([
    { name: 'Temple ring', pieces: 3, paise: 300_000 },
    { name: 'Chain', pieces: 2, paise: 1_000_000 },
  ]);
});
