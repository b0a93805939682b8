import { expect, test } from 'vitest';
import { oneAfterTheOther, useDatabase } from '../support/postgres.ts';
import type { OpenOrder } from '../support/shop-database.ts';
import { times } from '../../soak.ts';

const postgres = await useDatabase();
const connections = await postgres.connect(6);

/** One cart in two orders of one customer; the hold of the first has ended, that of the second has if `bothEnded`. */
async function openTwice(
  bothEnded: boolean,
): Promise<{ ring: string; orders: [OpenOrder, OpenOrder] }> {
  const ring = await postgres.addProduct({ stock: 3 });
  const customer = await postgres.addCustomer();
  const lines = [{ product_id: ring, quantity: 1 }];
  const first = await postgres.placeOpen(customer, lines);
  await postgres.release(first.id);
  const second = await postgres.placeOpen(customer, lines);
  if (bothEnded) await postgres.release(second.id);
  return { ring, orders: [first, second] };
}

test.each([
  { payments: 'the late one first', bothEnded: false, turn: 0, ends: ['paid', 'refund_due'] },
  {
    payments: 'the late one last',
    bothEnded: false,
    turn: 1,
    ends: ['paid', 'duplicate_purchase'],
  },
  { payments: 'both late', bothEnded: true, turn: 0, ends: ['paid', 'duplicate_purchase'] },
])(
  'the second of two payments for one cart, $payments, waits for the first and is no second sale',
  async ({ bothEnded, turn, ends }) => {
    const { ring, orders } = await openTwice(bothEnded);
    const [before, after] = turn === 0 ? orders : ([orders[1], orders[0]] as const);
    expect(
      await oneAfterTheOther(
        postgres,
        (database) => database.markPaid(before),
        (database) => database.markPaid(after),
      ),
    ).toEqual(ends);
    expect(await postgres.stockOf(ring)).toBe(2);
  },
);

test('a late payment and the end of the second order’s hold move its stock once', async () => {
  const late = await openTwice(false);
  expect(
    await oneAfterTheOther(
      postgres,
      (database) => database.markPaid(late.orders[0]),
      (database) => database.release(late.orders[1].id),
    ),
  ).toEqual(['paid', 'already']);
  expect(await postgres.stockOf(late.ring)).toBe(2);

  const ended = await openTwice(false);
  expect(
    await oneAfterTheOther(
      postgres,
      (database) => database.release(ended.orders[1].id),
      (database) => database.markPaid(ended.orders[0]),
    ),
  ).toEqual(['released', 'paid']);
  expect(await postgres.stockOf(ended.ring)).toBe(2);
});

test('payments and releases of both orders from six connections sell the cart once, without a deadlock', async () => {
  for (let round = 0; round < times(10, 200); round += 1) {
    const { ring, orders } = await openTwice(round % 2 === 0);
    const answers = await Promise.all(
      connections.map((database, index) => {
        const order = orders[(index + round) % 2 === 0 ? 0 : 1];
        return index < 4 ? database.markPaid(order) : database.release(order.id);
      }),
    );
    expect(answers.filter((answer) => answer === 'paid').length).toBeGreaterThan(0);
    expect(
      await postgres.one(
        `select count(*) filter (where status = 'COMPLETED')::int as sold, count(*) filter (where hold_state = 'held')::int as held
         from public.orders where id = any ($1)`,
        orders.map(({ id }) => id),
      ),
    ).toEqual({ sold: 1, held: 0 });
    expect(await postgres.stockOf(ring)).toBe(2);
  }
  expect(await postgres.deadlocks()).toBe(0);
});
