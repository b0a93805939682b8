import { expect, test } from 'vitest';
import { oneAfterTheOther, race, useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId, type ShopDatabase } from '#tests/database/support/shop-database.ts';
import { times } from '#tests/soak.ts';

const postgres = await useDatabase();
const connections = await postgres.connect(50);

const sum = (amounts: { amount: number }[]): number =>
  amounts.reduce((total, { amount }) => total + amount, 0);

test('50 refunds at once, each of a third: three are made, and together they are no more than was paid', async () => {
  const ring = await postgres.addProduct({ stock: 10 });
  const order = await postgres.buy([{ product_id: ring, quantity: 3 }]);
  const third = Math.floor(order.total_paise / 3);
  const restock = { [ring]: 1 };
  expect(
    await race(
      connections,
      async (database) => (await database.requestRefund(order.id, third, { restock })).outcome,
    ),
  ).toEqual({ refunding: 3, too_much: 47 });
  const refunds = await postgres.refundsOf(order.payment);
  expect(sum(refunds)).toBe(order.total_paise);
  expect(await postgres.stockOf(ring)).toBe(10);
});

test('50 presses of one button at once are one refund, one mail and one unit back', async () => {
  const ring = await postgres.addProduct({ stock: 10 });
  const order = await postgres.buy([{ product_id: ring, quantity: 3 }]);
  const key = crypto.randomUUID();
  const press = async (database: ShopDatabase) =>
    (await database.requestRefund(order.id, 5_000, { key, restock: { [ring]: 1 } })).outcome;
  expect(await race(connections, press)).toEqual({ refunding: 1, already: 49 });
  expect(await postgres.refundsOf(order.payment)).toMatchObject([{ amount: 5_000 }]);
  expect(await postgres.stockOf(ring)).toBe(8);
});

test('50 first prints at once over many orders, some twice: numbers without a gap, and no number twice', async () => {
  const ring = await postgres.addProduct({ stock: 1_000 });
  const ids: number[] = [];
  for (let n = 0; n < times(40, 100); n += 1)
    ids.push((await postgres.buy([{ product_id: ring, quantity: 1 }], 102_360)).id);
  await Promise.all(
    connections.slice(0, 50).map(async (database, worker) => {
      // Every order is printed by three of them at least, and every fifth try is undone.
      for (let i = 0; i < 12; i += 1) {
        const id = ids[(worker * 7 + i * 13) % ids.length] ?? 0;
        if (i % 5 === 4) await database.run('begin');
        await (i % 2 === 0 ? database.assignInvoice(id) : database.setFulfilment(id, 'shipped'));
        if (i % 5 === 4) await database.run('rollback');
      }
    }),
  );
  const rows = await postgres.query<{ serial: number; number: string }>(
    'select serial, number from public.invoices order by serial',
  );
  expect(rows.length).toBeGreaterThan(ids.length * 0.9);
  expect(rows.map(({ serial }) => serial)).toEqual(rows.map((_, index) => index + 1));
  expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
  expect(
    await postgres.value('select max(last_serial) as last from public.document_counters'),
  ).toEqual(rows.length);
  const late = await postgres.query(
    'select 1 from public.invoices a join public.invoices b on b.serial = a.serial + 1 and b.issued_at < a.issued_at',
  );
  expect(late).toEqual([]);
});

test.each([
  ['payment', ['paid', 'cancelled']],
  ['cancelling', ['cancelled', 'refund_due']],
])('cancelling during a payment, the %s first: the money is refunded', async (first, answers) => {
  const ring = await postgres.addProduct({ stock: 2 });
  const open = await postgres.openOrder(ring, 2);
  const payment = newPaymentId();
  const pay = (database: ShopDatabase): Promise<string> => database.markPaid(open, payment);
  const stop = async (database: ShopDatabase): Promise<string> =>
    (await database.cancel(open.id)).outcome;
  const [one, other] = first === 'payment' ? [pay, stop] : [stop, pay];
  expect(await oneAfterTheOther(postgres, one, other)).toEqual(answers);
  expect(sum(await postgres.refundsOf(payment))).toBe(open.total_paise);
  expect(await postgres.stockOf(ring)).toBe(2);
  expect(await postgres.orderRow(open.id)).toMatchObject({ fulfilment: 'cancelled' });
});

test.each([
  ['order', ['paid', 'nothing'], 0],
  ['press', ['refunding', 'mismatch'], 1],
])(
  'an unmatched payment is sent back while its order turns up, the %s first: it buys or goes back, never both',
  async (first, answers, refunds) => {
    const open = await postgres.openOrder(await postgres.addProduct({ stock: 1 }));
    const payment = newPaymentId();
    await postgres.query(
      `insert into public.payments (payment_id, razorpay_order_id, amount_paise, currency, state, reason) values ($1, $2, $3, 'INR', 'unmatched', 'unknown_order')`,
      ...[payment, open.razorpay_order_id, open.total_paise],
    );
    const buy = (database: ShopDatabase): Promise<string> => database.markPaid(open, payment);
    const sendBack = (database: ShopDatabase): Promise<string> =>
      database.value(`select public.refund_payment($1, gen_random_uuid()) ->> 'outcome'`, payment);
    const [one, other] = first === 'order' ? [buy, sendBack] : [sendBack, buy];
    expect(await oneAfterTheOther(postgres, one, other)).toEqual(answers);
    expect(await postgres.refundsOf(payment)).toHaveLength(refunds);
  },
);

test('nothing above deadlocked', async () => {
  expect(await postgres.deadlocks()).toBe(0);
});
