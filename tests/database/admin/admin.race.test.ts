import { afterAll, beforeAll, expect, test } from 'vitest';
import { one, type Database } from '../support/database.ts';
import {
  assignInvoice,
  buy,
  cancel,
  finishRefund,
  refundsOf,
  requestRefund,
  setFulfilment,
} from '../orders/paid-order-rows.ts';
import {
  createDatabase,
  oneAfterTheOther,
  type Connection,
  type Postgres,
} from '../support/postgres.ts';
import {
  addProduct,
  addShopper,
  markPaid,
  newPaymentId,
  orderRow,
  placeOpen,
  stockOf,
} from '../support/shop-rows.ts';
import { times } from '../../soak.ts';

let postgres: Postgres;
let connections: Connection[] = [];
beforeAll(async () => {
  postgres = await createDatabase();
  connections = await postgres.connect(50);
});
afterAll(() => postgres.close());

/** Runs on so many connections at once and counts the outcomes. */
async function race(
  count: number,
  run: (database: Database, index: number) => Promise<{ outcome: string }>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await Promise.all(
    connections.slice(0, count).map(async (database, index) => {
      const { outcome } = await run(database, index);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }),
  );
  return counts;
}

const sum = (amounts: { amount: number }[]): number =>
  amounts.reduce((total, { amount }) => total + amount, 0);

test('50 refunds at once, each of a third: three are made, and together they are no more than was paid', async () => {
  const ring = await addProduct(postgres, { stock: 10 });
  const order = await buy(postgres, [{ product_id: ring, quantity: 3 }]);
  const third = Math.floor(order.total_paise / 3);
  const restock = { [ring]: 1 };
  expect(
    await race(50, (database) => requestRefund(database, order.id, third, { restock })),
  ).toEqual({ refunding: 3, too_much: 47 });
  const refunds = await refundsOf(postgres, order.payment);
  expect(sum(refunds)).toBe(order.total_paise);
  expect(await stockOf(postgres, ring)).toBe(10);
});

test('50 presses of one button at once are one refund, one mail and one piece back', async () => {
  const ring = await addProduct(postgres, { stock: 10 });
  const order = await buy(postgres, [{ product_id: ring, quantity: 3 }]);
  const key = crypto.randomUUID();
  const press = (database: Database) =>
    requestRefund(database, order.id, 5_000, { key, restock: { [ring]: 1 } });
  expect(await race(50, press)).toEqual({ refunding: 1, already: 49 });
  expect(await refundsOf(postgres, order.payment)).toMatchObject([{ amount: 5_000 }]);
  expect(await stockOf(postgres, ring)).toBe(8);
});

test('refunds of odd amounts, cancelling, the provider’s answers and second payments at once: never more than was paid', async () => {
  for (let round = 0; round < times(2, 12); round += 1) {
    const [ring, chain] = [
      await addProduct(postgres, { stock: 20 }),
      await addProduct(postgres, { stock: 20 }),
    ];
    const order = await buy(postgres, [
      { product_id: ring, quantity: 2 },
      { product_id: chain, quantity: 2 },
    ]);
    await race(50, async (database, index) => {
      if (index % 10 === 9) return cancel(database, order.id);
      if (index % 10 === 8) return { outcome: await markPaid(database, order, newPaymentId()) };
      if (index % 10 === 7) {
        for (const { id } of await refundsOf(database, order.payment))
          await finishRefund(database, id, `rfnd_${String(id)}`);
        return { outcome: 'finished' };
      }
      const restock = index % 2 === 0 ? { [ring]: 1 } : { [chain]: 1 };
      return requestRefund(database, order.id, 1_000 + index * 977, { restock });
    });
    const refunds = await refundsOf(postgres, order.payment);
    expect(sum(refunds)).toBeLessThanOrEqual(order.total_paise);
    // It was cancelled, so all went back but what is too little to send.
    expect(order.total_paise - sum(refunds)).toBeLessThan(100);
    expect([await stockOf(postgres, ring), await stockOf(postgres, chain)]).toEqual([20, 20]);
  }
});

test('50 first prints at once over many orders, some twice: numbers without a gap, and no number twice', async () => {
  const ring = await addProduct(postgres, { stock: 1_000 });
  const ids: number[] = [];
  for (let n = 0; n < times(40, 100); n += 1)
    ids.push((await buy(postgres, [{ product_id: ring, quantity: 1 }], 102_360)).id);
  await Promise.all(
    connections.slice(0, 50).map(async (database, worker) => {
      // Every order is printed by three of them at least, and every fifth try is undone.
      for (let i = 0; i < 12; i += 1) {
        const id = ids[(worker * 7 + i * 13) % ids.length] ?? 0;
        if (i % 5 === 4) await database.run('begin');
        await (i % 2 === 0 ? assignInvoice(database, id) : setFulfilment(database, id, 'shipped'));
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
    await one(postgres, 'select max(last_serial) as last from public.document_counters'),
  ).toEqual({ last: rows.length });
  const late = await postgres.query(
    'select 1 from public.invoices a join public.invoices b on b.serial = a.serial + 1 and b.issued_at < a.issued_at',
  );
  expect(late).toEqual([]);
});

test('cancelling and a payment: the money goes back, whoever is first', async () => {
  const two = connections.slice(0, 2) as [Connection, Connection];
  for (const first of ['payment', 'cancelling']) {
    const ring = await addProduct(postgres, { stock: 2 });
    const open = await placeOpen(postgres, await addShopper(postgres), [
      { product_id: ring, quantity: 2 },
    ]);
    const payment = newPaymentId();
    const pay = (database: Database): Promise<string> => markPaid(database, open, payment);
    const stop = async (database: Database): Promise<string> =>
      (await cancel(database, open.id)).outcome;
    if (first === 'payment')
      expect(await oneAfterTheOther(postgres, two, pay, stop)).toEqual(['paid', 'cancelled']);
    else
      expect(await oneAfterTheOther(postgres, two, stop, pay)).toEqual(['cancelled', 'refund_due']);
    expect(sum(await refundsOf(postgres, payment))).toBe(open.total_paise);
    expect(await stockOf(postgres, ring)).toBe(2);
    expect(await orderRow(postgres, open.id)).toMatchObject({ fulfilment: 'cancelled' });
  }
});

test('an unmatched payment sent back by 50 presses while its order turns up: it buys or goes back, never both', async () => {
  for (let round = 0; round < times(2, 10); round += 1) {
    const ring = await addProduct(postgres, { stock: 1 });
    const open = await placeOpen(postgres, await addShopper(postgres), [
      { product_id: ring, quantity: 1 },
    ]);
    const payment = newPaymentId();
    await postgres.query(
      `insert into public.payments (payment_id, razorpay_order_id, amount_paise, currency, state, reason) values ($1, $2, $3, 'INR', 'unmatched', 'unknown_order')`,
      ...[payment, open.razorpay_order_id, open.total_paise],
    );
    const counts = await race(50, async (database, index) =>
      index % 10 === round % 10
        ? { outcome: await markPaid(database, open, payment) }
        : (
            await one<{ answer: { outcome: string } }>(
              database,
              'select public.refund_payment($1, $2) as answer',
              payment,
              crypto.randomUUID(),
            )
          ).answer,
    );
    const { status } = await orderRow(postgres, open.id);
    const back = sum(await refundsOf(postgres, payment));
    expect([`COMPLETED 0`, `PENDING ${String(open.total_paise)}`]).toContain(
      `${String(status)} ${String(back)}`,
    );
    expect(counts['refunding'] ?? 0).toBe(back === 0 ? 0 : 1);
  }
});

test('nothing above deadlocked', async () => {
  expect(
    await one(
      postgres,
      `select deadlocks::int as n from pg_stat_database where datname = current_database()`,
    ),
  ).toEqual({ n: 0 });
});
