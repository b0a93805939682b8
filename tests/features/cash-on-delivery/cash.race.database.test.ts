import { beforeEach, expect, test } from 'vitest';
import { race, useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId } from '#tests/database/support/shop-database.ts';
import { times } from '#tests/soak.ts';
import { sampleCash } from '#tests/sample-cash.ts';
import {
  cashSummary,
  confirm,
  openAdvance,
  placeCash,
  receive,
  refuse,
  reserve,
  reserveWithAdvance,
  send,
  withAdvance,
} from './cash-orders.ts';

/* Orders that are paid at the door, with many at once on PostgreSQL: nothing is sold, paid or returned twice. */
const postgres = await useDatabase();
await postgres.allowRefunds();
await postgres.run(`update public.cost_limits set most = 1000000 
  where effect = 'cash_mail' or (effect = 'cash_order' and seconds = 604800)`);
const connections = await postgres.connect(times(20, 60));

let ring = '';
beforeEach(async () => {
  await postgres.run(`update public.orders set hold_state = 'released', status = 'FAILED', customer_phone = null, network = null
    where cash_paise > 0`);
  ring = await postgres.addProduct({ price: 1_000, stock: 5 });
});

const one = () => [{ product_id: ring, quantity: 1 }];
const due = cashSummary(one(), sampleCash).cash?.due ?? 0;
/** What an answer says, with the reason of a refusal. */
const said = async (answer: Promise<{ outcome: string; reason?: string }>): Promise<string> => {
  const { outcome, reason = outcome } = await answer;
  return reason;
};
const count = (query: string, ...values: unknown[]): Promise<number> =>
  postgres.value(`select count(*)::int from ${query}`, ...values);
const newCustomers = `insert into auth.users (email, email_confirmed_at)
  select gen_random_uuid() || '@example.com', now() from generate_series(1, $1::int) returning id`;
const phone = (index: number): string => `98470 ${String(10_000 + index)}`;

test('one customer who presses many times has one order', async () => {
  const customer = await postgres.addCustomer();
  expect(await race(connections, (database) => said(placeCash(database, customer, one())))).toEqual(
    { reserved: connections.length },
  );
  expect(await count('public.orders where user_id = $1', customer)).toBe(1);
  expect(await postgres.stockOf(ring)).toBe(4);
});

test('of many customers at once, as many get a product as there are', async () => {
  const customers = await postgres.column<string>(newCustomers, connections.length);
  expect(
    await race(connections, (database, index) =>
      said(
        placeCash(database, customers[index] ?? '', one(), { details: { phone: phone(index) } }),
      ),
    ),
  ).toEqual({ reserved: 5, out_of_stock: connections.length - 5 });
  expect(await postgres.stockOf(ring)).toBe(0);
});

test('many accounts with one phone at once have no more open orders than the phone may have', async () => {
  const chain = await postgres.addProduct({ price: 1_000, stock: 1_000 });
  const customers = await postgres.column<string>(newCustomers, connections.length);
  expect(
    await race(connections, (database, index) =>
      said(placeCash(database, customers[index] ?? '', [{ product_id: chain, quantity: 1 }])),
    ),
  ).toEqual({ reserved: 2, open_orders: connections.length - 2 });
});

test('confirming and ending an order at once: it is sold or it ends, and never both', async () => {
  for (let round = 0; round < times(6, 40); round += 1) {
    const id = await reserve(postgres, await postgres.addCustomer(), one(), {
      details: { phone: phone(round) },
    });
    await postgres.query('update public.orders set hold_expires_at = now() where id = $1', id);
    await race(connections.slice(0, 4), async (database, index) =>
      index % 2 === 0
        ? said(confirm(database, id))
        : String(await database.value('select public.end_unconfirmed_orders(10)')),
    );
    const { hold_state: hold, status } = await postgres.orderRow(id);
    const stock = await postgres.stockOf(ring);
    expect([
      { hold: 'taken', status: 'PENDING', stock: 4 },
      { hold: 'released', status: 'FAILED', stock: 5 },
    ]).toContainEqual({ hold, status, stock });
    await postgres.query(`update public.products set stock = 5 where id = $1`, ring);
    await postgres.query(
      `update public.orders set hold_state = 'released', status = 'FAILED' where id = $1`,
      id,
    );
  }
});

test('the cash and the refusal of a parcel at once: it is paid once, or it came back once', async () => {
  for (let round = 0; round < times(6, 40); round += 1) {
    await postgres.run('delete from public.cash_refusals where true');
    const id = await reserve(postgres, await postgres.addCustomer(), one(), {
      details: { phone: phone(round) },
    });
    await send(postgres, id);
    const answers = await race(connections, (database, index) =>
      said(
        index % 2 === 0 ? receive(database, id, due, `UTR${String(index)}`) : refuse(database, id),
      ),
    );
    const isPaid = 'received' in answers;
    expect(answers['received']).toBe(isPaid ? 1 : undefined);
    expect(await count('public.payments where order_id = $1', id)).toBe(isPaid ? 1 : 0);
    expect(await count('public.cash_refusals where order_id = $1', id)).toBe(isPaid ? 0 : 1);
    expect(await postgres.stockOf(ring)).toBe(isPaid ? 4 : 5);
    await postgres.query(`update public.products set stock = 5 where id = $1`, ring);
  }
});

test('an advance that is reported many times while the customer gives the order up goes back once, or none is taken', async () => {
  for (let round = 0; round < times(4, 30); round += 1) {
    const customer = await postgres.addCustomer();
    const order = await openAdvance(postgres, customer, one());
    const payment = newPaymentId();
    await race(connections.slice(0, 6), async (database, index) =>
      index % 3 === 0
        ? said(database.cancelOwn(customer, order.id, false))
        : database.markPaid(order, payment, { amount: order.online_paise }),
    );
    // The page asks again until it is told.
    await postgres.cancelOwn(customer, order.id, false);
    await postgres.markPaid(order, payment, { amount: order.online_paise });
    const refunds = await postgres.refundsOf(payment);
    expect(refunds.map(({ amount }) => amount)).toEqual([order.online_paise]);
    expect(await postgres.stockOf(ring)).toBe(5);
  }
});

test('a list of cash that is read many times at once pays each order once', async () => {
  const ids: number[] = [];
  for (let index = 0; index < 4; index += 1) {
    const id = await reserve(postgres, await postgres.addCustomer(), one(), {
      details: { phone: phone(index) },
    });
    await send(postgres, id, `AWB${String(id)}`);
    ids.push(id);
  }
  const rows = ids.map((id, row) => ({
    row,
    tracking_number: `awb${String(id)}`,
    order_id: null,
    amount_paise: due,
    reference: 'UTR1',
  }));
  await race(connections, async (database, index) => {
    await database.query(
      'select public.record_remittance($1::jsonb, true)',
      JSON.stringify(index % 2 === 0 ? rows : rows.toReversed()),
    );
    return 'read';
  });
  expect(await count('public.payments where order_id = any ($1::bigint[])', ids)).toBe(4);
  expect(
    await count(`public.orders where id = any ($1::bigint[]) and status = 'COMPLETED'`, ids),
  ).toBe(4);
});

test('two refunds at once of an order with an advance never return more than was paid', async () => {
  const { id, advance } = await reserveWithAdvance(postgres, await postgres.addCustomer(), one());
  await send(postgres, id);
  const cash = cashSummary(one(), withAdvance).cash?.due ?? 0;
  await receive(postgres, id, cash);
  await race(connections, (database) => said(database.requestRefund(id, 40_000)));
  expect(
    await postgres.value(
      'select sum(amount_paise)::int from public.refunds where order_id = $1',
      id,
    ),
  ).toBe(Math.floor((advance + cash) / 40_000) * 40_000);
});

test('orders that end together keep no customer who orders their products, in any order', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 12; index += 1)
    ids.push(await postgres.addProduct({ price: 1_000, stock: 10_000 }));
  ids.sort();
  const customers = await postgres.column<string>(newCustomers, 12);
  const buyers = await postgres.column<string>(newCustomers, connections.length);
  for (let round = 0; round < times(5, 30); round += 1) {
    // Older orders have the later products.
    for (const [index, customer] of customers.entries())
      await reserve(postgres, customer, [{ product_id: ids[11 - index] ?? '', quantity: 1 }], {
        details: { phone: phone(1_000 + round * 20 + index) },
      });
    await postgres.run(
      `update public.orders set hold_expires_at = now() where hold_state = 'reserved'`,
    );
    const outcomes = await race(connections, async (database, index) => {
      if (index === 0)
        return String(await database.value('select public.end_unconfirmed_orders(50)'));
      const lines = ids.map((product_id) => ({ product_id, quantity: 1 + (round % 5) }));
      return said(database.place(buyers[index] ?? '', lines));
    });
    expect(outcomes['12']).toBe(1);
  }
  expect(await postgres.deadlocks()).toBe(0);
});
