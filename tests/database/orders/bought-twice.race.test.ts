import { expect, test } from 'vitest';
import { oneAfterTheOther, useDatabase } from '../support/postgres.ts';
import type { OpenOrder } from '../support/shop-database.ts';

const postgres = await useDatabase();

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
